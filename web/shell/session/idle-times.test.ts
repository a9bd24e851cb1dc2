import { describe, expect, it } from 'vitest';
import { idleTimes, isPingDue, phaseAt, settled, spokenCountdown } from './idle-times.ts';

const MINUTE = 60_000;

describe('the timeout', () => {
  it('is the session’s: the prompt appears with 30 % of it left', () => {
    expect(idleTimes(15)).toMatchObject({ timeoutMs: 15 * MINUTE, promptAfterMs: 10.5 * MINUTE });
    expect(idleTimes(10)).toMatchObject({ timeoutMs: 10 * MINUTE, promptAfterMs: 7 * MINUTE });
  });

  it('is one minute if the session has none', () => {
    for (const none of [undefined, 0, -1, Number.NaN]) {
      expect(idleTimes(none)).toEqual({ timeoutMs: MINUTE, promptAfterMs: 42_000, pingEveryMs: 20_000 });
    }
  });

  it('allows a ping of activity each minute, or each third of a short timeout', () => {
    expect(idleTimes(720).pingEveryMs).toBe(MINUTE);
    expect(idleTimes(3).pingEveryMs).toBe(MINUTE);
    expect(idleTimes(2).pingEveryMs).toBe(40_000);
  });
});

describe('phases', () => {
  const times = idleTimes(10);

  it('change at the exact millisecond', () => {
    const at = (now: number) => phaseAt(times, { activeAt: 1000 }, now);
    expect(at(1000)).toBe('active');
    expect(at(1000 + 7 * MINUTE - 1)).toBe('active');
    expect(at(1000 + 7 * MINUTE)).toBe('prompt');
    expect(at(1000 + 10 * MINUTE - 1)).toBe('prompt');
    expect(at(1000 + 10 * MINUTE)).toBe('over');
    expect(at(1000 + 24 * 60 * MINUTE)).toBe('over');
  });

  it('start again from now if the clock was set back', () => {
    const now = 5 * MINUTE;
    const known = settled({ activeAt: 60 * MINUTE, pingedAt: 59 * MINUTE }, now);
    expect(known).toEqual({ activeAt: now, pingedAt: now });
    expect(phaseAt(times, known, now + 7 * MINUTE)).toBe('prompt');
  });
});

describe('a ping', () => {
  const times = idleTimes(15);

  it('is due for activity that the server does not know of, at most once a minute', () => {
    const known = { activeAt: 90_000, pingedAt: 60_000 };
    expect(isPingDue(times, known, 119_999)).toBe(false);
    expect(isPingDue(times, known, 120_000)).toBe(true);
  });

  it('is not due without activity, nor for somebody who has been away too long', () => {
    expect(isPingDue(times, { activeAt: 60_000, pingedAt: 60_000 }, 10 * MINUTE)).toBe(false);
    expect(isPingDue(times, { activeAt: 60_001, pingedAt: 60_000 }, 14 * MINUTE)).toBe(false);
  });
});

describe('the countdown', () => {
  it('is announced each minute, at 30 and at 10 seconds', () => {
    expect(spokenCountdown(270)).toBe('Less than 5 minutes left');
    expect(spokenCountdown(120)).toBe('Less than 2 minutes left');
    expect(spokenCountdown(61)).toBe('Less than 2 minutes left');
    expect(spokenCountdown(60)).toBe('Less than a minute left');
    expect(spokenCountdown(30)).toBe('30 seconds left');
    expect(spokenCountdown(11)).toBe('30 seconds left');
    expect(spokenCountdown(10)).toBe('10 seconds left');
    const texts = Array.from({ length: 270 }, (_, index) => spokenCountdown(270 - index));
    expect(new Set(texts).size).toBe(7);
  });
});
