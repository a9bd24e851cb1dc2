import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '#contract/time/durations.ts';
import { isMissed, moveClock, type SlaClock, usedTime } from './sla.ts';

/** The SLA clock: it starts, pauses while we wait for the client, resumes and ends. */

const at = (time: string) => ({
  now: new Date(`${time}:00+03:00`),
  targetMs: 4 * HOUR_MS,
  holidays: new Set(['2026-12-25']),
});
const none: SlaClock = { runsSince: null, usedMs: 0, decideBy: null };
const started = moveClock(none, 'starts', at('2026-11-20T12:20'));

describe('the SLA clock', () => {
  it('starts with the whole target', () => {
    expect(started).toEqual({
      runsSince: new Date('2026-11-20T12:20:00+03:00'),
      usedMs: 0,
      decideBy: new Date('2026-11-20T16:20:00+03:00'),
    });
  });

  it('pauses while information is requested, over a weekend too, and resumes with the rest', () => {
    const stopped = moveClock(started, 'stops', at('2026-11-20T15:20'));
    expect(stopped).toEqual({ runsSince: null, usedMs: 3 * HOUR_MS, decideBy: null });
    expect(usedTime(stopped, at('2026-11-24T15:00'))).toBe(3 * HOUR_MS);
    const resumed = moveClock(stopped, 'resumes', at('2026-11-24T15:00'));
    expect(resumed.decideBy).toEqual(new Date('2026-11-24T16:00:00+03:00'));
    expect(usedTime(resumed, at('2026-11-24T15:30'))).toBe(3.5 * HOUR_MS);
  });

  it('is due at once when it resumes with no time left', () => {
    const stopped = moveClock(started, 'stops', at('2026-11-23T10:20'));
    expect(stopped.usedMs).toBe(7 * HOUR_MS);
    expect(moveClock(stopped, 'resumes', at('2026-11-23T14:00')).decideBy).toEqual(
      new Date('2026-11-23T14:00:00+03:00'),
    );
  });

  it('ends with what was used, and keeps the moment that was promised', () => {
    expect(moveClock(started, 'ends', at('2026-11-20T13:05'))).toEqual({
      runsSince: null,
      usedMs: 0.75 * HOUR_MS,
      decideBy: started.decideBy,
    });
  });
});

describe('an SLA', () => {
  const undecided = { clock: started, missedAt: null, decidedAt: null };
  const [due, later] = [at('2026-11-20T16:20').now, at('2026-11-20T16:21').now];
  const ended = moveClock(started, 'ends', at('2026-11-20T16:20'));

  it('is missed once its deadline passes without a decision', () => {
    expect(isMissed(undecided, due)).toBe(false);
    expect(isMissed(undecided, later)).toBe(true);
  });

  it('is missed if the decision came after the deadline, whenever it is read', () => {
    expect(isMissed({ ...undecided, clock: ended, decidedAt: due }, later)).toBe(false);
    expect(isMissed({ ...undecided, clock: ended, decidedAt: later }, later)).toBe(true);
  });

  it('is not missed before submission, nor while its clock is paused', () => {
    expect(isMissed({ ...undecided, clock: none }, later)).toBe(false);
    expect(isMissed({ ...undecided, clock: moveClock(started, 'stops', at('2026-11-20T15:20')) }, later)).toBe(false);
    expect(isMissed({ ...undecided, clock: { ...started, runsSince: null } }, later)).toBe(false);
  });

  it('stays missed once the client was told', () => {
    expect(isMissed({ clock: none, missedAt: due, decidedAt: null }, due)).toBe(true);
  });
});
