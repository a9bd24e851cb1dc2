import { describe, expect, it } from 'vitest';
import { gaveOther, isOnlyApprover, lackingApproval, needsTwoOfficers } from './rules.ts';

const thresholds = new Map([['UGX', 2_000_000_000]]);
const needsTwo = (currencyCode: string, exposure: number) => needsTwoOfficers({ exposure, currencyCode }, thresholds);

describe('needsTwoOfficers', () => {
  it('is for an exposure above the threshold of its currency, and not for one at it', () => {
    expect([needsTwo('UGX', 2_000_000_000), needsTwo('UGX', 2_000_000_001)]).toEqual([false, true]);
  });

  it('is for every exposure in a currency without a threshold', () => {
    expect([needsTwo('USD', 1), needsTwo('USD', 0)]).toEqual([true, false]);
  });
});

describe('isOnlyApprover', () => {
  it('is whoever decided alone, and nobody where two approved or nobody did', () => {
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

  it('is the one that counts no more, the decision before the first', () => {
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

it('gaveOther is whoever gave the approval that is not asked for', () => {
  const approvers = { firstApprovedBy: 1, decidedBy: 2 };
  expect([1, 2, 3].map((officer) => gaveOther(approvers, 'first', officer))).toEqual([false, true, false]);
  expect([1, 2, 3].map((officer) => gaveOther(approvers, 'decision', officer))).toEqual([true, false, false]);
});
