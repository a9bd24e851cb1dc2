import { describe, expect, it } from 'vitest';
import { isOnlyApprover, needsTwoOfficers } from '#contract/desk/rules.ts';

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
