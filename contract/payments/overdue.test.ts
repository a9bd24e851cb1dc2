import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statuses } from '#contract/applications/lifecycle.ts';
import { addDays } from '#contract/time/calendar.ts';
import { overdueOf } from './overdue.ts';

const advance = { status: 'Disbursed', dueOn: '2026-11-11', outstanding: 415_500_000 } as const;

describe('an overdue advance', () => {
  it('is late from the day after its date, by calendar days', () => {
    expect(overdueOf(advance, '2026-11-11')).toBeNull();
    expect(overdueOf(advance, '2026-11-12')).toEqual({ days: 1, outstanding: 4_155_000 });
    expect(overdueOf(advance, '2026-11-22')).toEqual({ days: 11, outstanding: 4_155_000 });
    expect(overdueOf(advance, '2027-01-01')).toMatchObject({ days: 51 });
  });

  it('is a day later each day, and never before it is paid out or once it is settled', () => {
    const property = fc.property(fc.constantFrom(...statuses), fc.integer({ min: -400, max: 4000 }), (status, days) => {
      const found = overdueOf({ ...advance, status }, addDays(advance.dueOn, days));
      expect(found?.days ?? 0).toBe(status === 'Disbursed' ? Math.max(0, days) : 0);
    });
    fc.assert(property, { numRuns: 5000 });
    expect(overdueOf({ status: 'Approved', dueOn: null, outstanding: null }, '2026-11-22')).toBeNull();
  });
});
