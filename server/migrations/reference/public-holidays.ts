/** A day on which nobody works in Uganda, and where that is said. */
interface PublicHoliday {
  readonly date: string;
  readonly name: string;
  readonly source: string;
}

const ACT = 'Public Holidays Act';

/** The public holidays that the promise does not count (docs/reference-data.md). */
export const publicHolidays: readonly PublicHoliday[] = [{ date: '2026-12-25', name: 'Christmas Day', source: ACT }];
