import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, DAY_SECONDS, HOUR_MS, HOUR_SECONDS, MINUTE_MS, MINUTE_SECONDS } from '#contract/time/durations.ts';
import { AppError } from '#server/calls/app-error.ts';
import {
  afterProof,
  afterSending,
  afterWrongCode,
  blockedUntil,
  type CodeBudget,
  refuseTooMany,
  refuseTooSoon,
} from './code-budget.ts';

const START = Date.parse('2026-11-20T09:00:00Z');

const untouched: CodeBudget = {
  recipient: '0770000000',
  wrong_at: [],
  blocked_until: null,
  link_sent: false,
  sent_at: [],
  sign_up_sent_at: null,
  reset_sent_at: null,
};

/** Waits of every length that matters: seconds, the cooldown, the hour, the day. */
const wait = fc.oneof(
  fc.integer({ min: 0, max: 120 }),
  fc.integer({ min: 0, max: 4000 }),
  fc.integer({ min: 0, max: 100_000 }),
  fc.constantFrom(MINUTE_SECONDS, HOUR_SECONDS, DAY_SECONDS),
);

function retryAfter(refuse: () => void): number | undefined {
  try {
    refuse();
  } catch (error) {
    if (error instanceof AppError) return error.details.retryAfterSeconds;
    throw error;
  }
  return undefined;
}

/** The largest number of times within any window of that length. */
function densest(times: readonly number[], windowMs: number): number {
  return Math.max(0, ...times.map((end) => times.filter((time) => time <= end && end - time < windowMs).length));
}

describe('a recipient’s budget', () => {
  it('never accepts more than 10 wrong codes in any 24 hours, however they are spread', () => {
    fc.assert(
      fc.property(fc.array(wait, { maxLength: 120 }), (waits) => {
        let now = START;
        let budget = untouched;
        const looked: number[] = [];
        for (const seconds of waits) {
          now += seconds * 1000;
          if (blockedUntil(budget, new Date(now)) !== undefined) continue;
          looked.push(now);
          budget = afterWrongCode(budget, new Date(now));
        }
        expect(densest(looked, DAY_MS)).toBeLessThanOrEqual(10);
      }),
    );
  });

  it('never sends more than 5 codes in any hour and 10 in any day, and says exactly when the next may be sent', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(wait, fc.constantFrom('sign-up', 'reset')), { maxLength: 80 }), (asked) => {
        let now = START;
        let budget = untouched;
        const sent: number[] = [];
        for (const [seconds, purpose] of asked) {
          now += seconds * 1000;
          const refused = retryAfter(() => refuseTooMany(budget, new Date(now)));
          if (refused !== undefined) {
            const early = new Date(now + refused * 1000 - 1);
            expect(retryAfter(() => refuseTooMany(budget, early))).toBeGreaterThan(0);
            now += refused * 1000;
            expect(retryAfter(() => refuseTooMany(budget, new Date(now)))).toBeUndefined();
          }
          sent.push(now);
          budget = afterSending(budget, purpose, new Date(now));
        }
        expect(densest(sent, HOUR_MS)).toBeLessThanOrEqual(5);
        expect(densest(sent, DAY_MS)).toBeLessThanOrEqual(10);
      }),
    );
  });

  it('has a cooldown for each flow, which starts when a code is sent', () => {
    const budget = afterSending(untouched, 'sign-up', new Date(START));
    const at = (ms: number) => new Date(START + ms);
    expect(retryAfter(() => refuseTooSoon(budget, 'sign-up', at(0)))).toBe(60);
    expect(retryAfter(() => refuseTooSoon(budget, 'sign-up', at(59_999)))).toBe(0.001);
    expect(retryAfter(() => refuseTooSoon(budget, 'sign-up', at(MINUTE_MS)))).toBeUndefined();
    expect(retryAfter(() => refuseTooSoon(budget, 'reset', at(0)))).toBeUndefined();
  });

  it('is restored only by a proof', () => {
    let budget = untouched;
    for (let wrong = 0; wrong < 10; wrong += 1) budget = afterWrongCode(budget, new Date(START));
    const sentToo = afterSending({ ...budget, link_sent: true }, 'reset', new Date(START));
    expect(blockedUntil(sentToo, new Date(START + DAY_MS - 1))).toEqual(new Date(START + DAY_MS));
    expect(blockedUntil(sentToo, new Date(START + DAY_MS))).toBeUndefined();
    const proven = afterProof(sentToo);
    expect(blockedUntil(proven, new Date(START))).toBeUndefined();
    expect(proven).toMatchObject({ wrong_at: [], link_sent: false, sent_at: [new Date(START)] });
  });
});
