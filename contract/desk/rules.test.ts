import { describe, expect, it } from 'vitest';
import { aloneUpTo, gaveOther, isOnlyApprover, lackingApproval } from './rules.ts';

it('aloneUpTo is the threshold of the currency, and nothing in a currency without one', () => {
  const thresholds = new Map([['UGX', 2_000_000_000]]);
  expect([aloneUpTo('UGX', thresholds), aloneUpTo('USD', thresholds)]).toEqual([2_000_000_000, 0]);
});

describe('isOnlyApprover', () => {
  it('is the officer who decided alone, and nobody if two approved or none did', () => {
    expect(isOnlyApprover({ firstApprovedBy: null, decidedBy: 1 }, 1)).toBe(true);
    expect(isOnlyApprover({ firstApprovedBy: 1, decidedBy: 1 }, 1)).toBe(true);
    expect(isOnlyApprover({ firstApprovedBy: null, decidedBy: 1 }, 2)).toBe(false);
    expect(isOnlyApprover({ firstApprovedBy: 2, decidedBy: 1 }, 1)).toBe(false);
    expect(isOnlyApprover({ firstApprovedBy: 2, decidedBy: 1 }, 2)).toBe(false);
    expect(isOnlyApprover({ firstApprovedBy: 1, decidedBy: null }, 1)).toBe(false);
  });
});

describe('lackingApproval', () => {
  const counts = { first: true, decision: true };
  const lacking = (firstApprovedBy: number | null, standing: Partial<Parameters<typeof lackingApproval>[1]>) =>
    lackingApproval({ firstApprovedBy, decidedBy: 1 }, { counts, needsTwo: false, ...standing });

  it('is the void one, the decision before the first', () => {
    expect(lacking(2, { counts: { first: false, decision: true } })).toBe('first');
    expect(lacking(2, { counts: { first: true, decision: false } })).toBe('decision');
    expect(lacking(2, { counts: { first: false, decision: false } })).toBe('decision');
    expect(lacking(null, { counts: { first: true, decision: false }, needsTwo: true })).toBe('decision');
  });

  it('is the second where two are needed and one was given, and none where both count', () => {
    expect([lacking(null, { needsTwo: true }), lacking(2, { needsTwo: true })]).toEqual(['first', undefined]);
    expect([lacking(null, {}), lacking(2, {})]).toEqual([undefined, undefined]);
  });
});

it('gaveOther names the giver of the other approval', () => {
  const approvers = { firstApprovedBy: 1, decidedBy: 2 };
  expect([1, 2, 3].map((officer) => gaveOther(approvers, 'first', officer))).toEqual([false, true, false]);
  expect([1, 2, 3].map((officer) => gaveOther(approvers, 'decision', officer))).toEqual([true, false, false]);
});
