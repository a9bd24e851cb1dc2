import { describe, expect, it } from 'vitest';
import { needsTwoOfficers } from '#contract/desk/rules.ts';

const thresholds = new Map([['UGX', 2_000_000_000]]);
const needsTwo = (currencyCode: string, advance: number) =>
  needsTwoOfficers({ application: { advance }, currencyCode }, thresholds);

describe('needsTwoOfficers', () => {
  it('is for advances above the threshold of their currency, and not for those at it', () => {
    expect([needsTwo('UGX', 2_000_000_000), needsTwo('UGX', 2_000_000_001)]).toEqual([false, true]);
  });

  it('is for every advance in a currency without a threshold', () => {
    expect(needsTwo('USD', 1)).toBe(true);
  });

  it('is not for an invoice that nobody has applied for', () => {
    expect(needsTwoOfficers({ application: null, currencyCode: 'USD' }, thresholds)).toBe(false);
  });
});
