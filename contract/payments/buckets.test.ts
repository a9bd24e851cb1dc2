import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketOf, overdueBucketNames, overdueBuckets } from './buckets.ts';

describe('the buckets of overdue advances', () => {
  it('hold each number of days once, and nothing that is not late', () => {
    const property = fc.property(fc.integer({ min: -400, max: 4000 }), (days) => {
      const holding = overdueBucketNames.filter((name) => {
        const { from, to } = overdueBuckets[name];
        return days >= from && days <= (to ?? Number.POSITIVE_INFINITY);
      });
      expect(holding).toEqual(days < 1 ? [] : [bucketOf(days)]);
    });
    fc.assert(property, { numRuns: 5000 });
  });

  it('end on 7, 30, 60 and 90 days', () => {
    expect([0, 1, 7, 8, 30, 31, 60, 61, 90, 91, 5000].map(bucketOf)).toEqual([
      null,
      'days1To7',
      'days1To7',
      'days8To30',
      'days8To30',
      'days31To60',
      'days31To60',
      'days61To90',
      'days61To90',
      'daysOver90',
      'daysOver90',
    ]);
  });
});
