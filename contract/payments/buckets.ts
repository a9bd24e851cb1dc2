import { keysOf } from '#contract/keys.ts';

/** Groups of advances by days late, as lenders collect them. */
export const overdueBuckets = {
  days1To7: { label: '1–7 days late', from: 1, to: 7 },
  days8To30: { label: '8–30 days late', from: 8, to: 30 },
  days31To60: { label: '31–60 days late', from: 31, to: 60 },
  days61To90: { label: '61–90 days late', from: 61, to: 90 },
  daysOver90: { label: 'Over 90 days late', from: 91, to: null },
} as const satisfies Record<string, { readonly label: string; readonly from: number; readonly to: number | null }>;
export type OverdueBucket = keyof typeof overdueBuckets;
export const overdueBucketNames = keysOf(overdueBuckets);

/** The group of an advance by its days late; null if it is not late. */
export function bucketOf(days: number): OverdueBucket | null {
  const isIn = (name: OverdueBucket): boolean => {
    const { from, to } = overdueBuckets[name];
    return days >= from && (to === null || days <= to);
  };
  return overdueBucketNames.find(isIn) ?? null;
}
