import { describe, expect, it } from 'vitest';
import { failures } from '#contract/errors.ts';
import {
  decideSubmission,
  obstaclesOf,
  readinessOf,
  type SubmissionFacts,
  type TypingFacts,
  whyNotApply,
} from './submission.ts';

const now = new Date('2026-11-27T09:00:00Z');
const application = {
  advance: 90_000_000,
  tenorDays: 30,
  feeRateBps: 1100,
  discountFee: 9_900_000,
  netProceeds: 80_100_000,
};
const advance = {
  currency: 'UGX',
  advance: 90_000_000,
  smallest: 5_000_000,
  limit: 5_000_000_000,
  available: 90_000_000,
};
const overdue = { tag: 'late', text: 'Pay back UGX 11,000,000 for invoice INV-1. It was due 20 Nov 2026' };

const sound: SubmissionFacts = {
  now,
  invoice: { invoiceDate: '2026-11-03', faceValue: 100_000_000, paymentDueOn: null, vat: null, application },
  invoiceMaximumAgeDays: 180,
  missingDocuments: [],
  isBuyerActive: true,
  isClientActive: true,
  advance,
  overdue: undefined,
  pausedUntil: undefined,
};
const paused = { pausedUntil: new Date('2026-11-27T09:08:30Z') };

describe('a submission', () => {
  it('is decided where every rule is kept', () => {
    expect(decideSubmission(sound)).toEqual({ refusals: [], decision: application });
    expect(readinessOf(sound)).toEqual({ success: true, missing: [] });
    expect(obstaclesOf(sound)).toEqual([]);
  });

  it.each<[string, Partial<SubmissionFacts>, string[]]>([
    ['NOT_READY', { missingDocuments: ['Invoice copy'] }, ['Invoice copy']],
    ['NOT_READY', { invoice: { ...sound.invoice, application: null } }, ['Amount applied for', 'Financing period']],
    ['UNKNOWN_REFERENCE', { isBuyerActive: false }, ['Select buyer']],
    [
      'QUOTE_MISMATCH',
      { invoice: { ...sound.invoice, application: { ...application, discountFee: 1 } } },
      [failures.QUOTE_MISMATCH.msg],
    ],
    [
      'ADVANCE_BELOW_MINIMUM',
      { advance: { ...advance, advance: 4_999_999 } },
      ['The smallest advance is UGX 50,000. Apply for that or more'],
    ],
    [
      'LIMIT_EXCEEDED',
      { advance: { ...advance, available: 89_999_999 } },
      ['An advance within your funding limit (you can use UGX 899,999.99 of 50,000,000)'],
    ],
    ['SUBMITTED_TOO_SOON', paused, ['You just withdrew this application. Submit it again in 9 minutes']],
    ['BUSINESS_INACTIVE', { isClientActive: false }, [failures.BUSINESS_INACTIVE.msg]],
  ])('is refused with %s, and the readiness check names the same', (code, change, missing) => {
    const facts = { ...sound, ...change };
    expect(decideSubmission(facts).refusals.map((refusal) => refusal.code)).toEqual([code]);
    expect(readinessOf(facts)).toEqual({ success: false, missing });
  });

  it('is refused while an advance is late, which the readiness check names in its own field', () => {
    expect(decideSubmission({ ...sound, overdue }).refusals).toMatchObject([
      { code: 'OVERDUE_BLOCKS', more: overdue.text },
    ]);
    expect(readinessOf({ ...sound, overdue })).toEqual({ success: false, missing: [], overdue });
  });

  it('is refused with 409 before 422, and shown in the order of the screen', () => {
    const facts = { ...sound, ...paused, missingDocuments: ['Invoice copy'], isClientActive: false };
    const keyFacts = { seen: 'old', today: 'new' };
    expect(decideSubmission({ ...facts, keyFacts }).refusals.map(({ code }) => code)).toEqual([
      'NOT_READY',
      'KEY_FACTS_CHANGED',
      'SUBMITTED_TOO_SOON',
      'BUSINESS_INACTIVE',
    ]);
    expect(readinessOf(facts).missing.at(-1)).toMatch(/^You just withdrew this application/);
  });

  it('takes one more after the pause, to the millisecond', () => {
    expect(readinessOf({ ...sound, pausedUntil: now }).success).toBe(true);
  });
});

describe('a form that was just opened', () => {
  const typed: TypingFacts = {
    now,
    isClientActive: true,
    overdue: undefined,
    pausedUntil: undefined,
    advance: undefined,
  };
  const codes = (facts: Partial<TypingFacts>) => obstaclesOf({ ...typed, ...facts }).map(({ code }) => code);

  it('has nothing in its way until a currency is chosen', () => {
    expect(codes({})).toEqual([]);
  });

  it('says what stops the client before anything is typed', () => {
    expect(codes({ overdue, isClientActive: false, ...paused })).toEqual([
      'BUSINESS_INACTIVE',
      'OVERDUE_BLOCKS',
      'SUBMITTED_TOO_SOON',
    ]);
  });

  it('is not offered while the client may submit nothing, for the same reasons', () => {
    expect(whyNotApply(typed)).toBeNull();
    expect(whyNotApply({ ...typed, overdue })).toBe(overdue.text);
    expect(whyNotApply({ ...typed, overdue, isClientActive: false })).toBe(failures.BUSINESS_INACTIVE.msg);
  });

  it('says that there is no room for even the smallest advance', () => {
    const empty = { ...advance, advance: undefined };
    expect(codes({ advance: { ...empty, available: 4_999_999 } })).toEqual(['LIMIT_EXCEEDED']);
    expect(codes({ advance: { ...empty, available: 5_000_000 } })).toEqual([]);
    expect(codes({ advance: { ...empty, smallest: 0, available: 0 } })).toEqual(['LIMIT_EXCEEDED']);
  });

  it('says that the typed amount is too small or above the limit', () => {
    expect(codes({ advance: { ...advance, advance: 1 } })).toEqual(['ADVANCE_BELOW_MINIMUM']);
    expect(codes({ advance: { ...advance, advance: 90_000_001 } })).toEqual(['LIMIT_EXCEEDED']);
  });
});
