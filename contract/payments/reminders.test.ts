import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayRemind, reminderDue } from './reminders.ts';

const DAYS = [-3, 0, 1, 3, 7, 14, 30];

describe('a reminder of a repayment', () => {
  it('is due from its day on, until it was sent', () => {
    expect([-4, -3, -1, 0, 2, 6, 13, 37, 38].map((day) => reminderDue(day, DAYS, []))).toEqual([
      undefined,
      -3,
      -3,
      0,
      1,
      3,
      7,
      30,
      undefined,
    ]);
    expect(reminderDue(3, DAYS, [-3, 0, 1])).toBe(3);
    expect(reminderDue(3, DAYS, [3])).toBeUndefined();
  });

  it('is sent once for its day on any run of days, also with pauses and a clock that is set back', () => {
    const property = fc.property(fc.array(fc.integer({ min: -10, max: 60 }), { maxLength: 60 }), (days) => {
      const sent: number[] = [];
      for (const day of days) {
        const due = reminderDue(day, DAYS, sent);
        if (due === undefined) continue;
        expect(DAYS).toContain(due);
        expect(due).toBeLessThanOrEqual(day);
        sent.push(due);
      }
      expect(sent).toEqual([...new Set(sent)].sort((one, other) => one - other));
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it('waits for the day: from 08:00 to 18:00 in Kampala', () => {
    const at = (time: string) => mayRemind(new Date(`2026-11-20T${time}+03:00`));
    expect(['07:59:59', '08:00:00', '17:59:59', '18:00:00', '00:00:00'].map(at)).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
  });
});
