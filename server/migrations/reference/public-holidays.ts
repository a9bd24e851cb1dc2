/** A day on which nobody works in Uganda, and where that is said. */
interface PublicHoliday {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly name: string;
  readonly source: string;
}

const ACT = 'Public Holidays Act, Cap. 255';
const EASTER = 'Public Holidays Act, Cap. 255; the date of Easter';
const SIGHTING =
  'Public Holidays Act, Cap. 255; expected, because the moon decides and the Government announces the day';
const PROCLAMATION = 'Proclamation of the President, January 2026';

/**
 * Public holidays of 2026 to 2030, which the promise of a decision does not count (docs/reference-data.md says where
 * they come from and how one that is announced otherwise is corrected). A first migration loads this list, so it is
 * frozen: a later change is a new migration.
 */
export const publicHolidays: readonly PublicHoliday[] = [
  { date: '2026-01-01', name: "New Year's Day", source: ACT },
  { date: '2026-01-15', name: 'General Elections', source: PROCLAMATION },
  { date: '2026-01-16', name: 'General Elections', source: PROCLAMATION },
  { date: '2026-01-26', name: 'NRM Liberation Day', source: ACT },
  { date: '2026-02-16', name: 'Archbishop Janani Luwum Day', source: ACT },
  { date: '2026-03-08', name: "International Women's Day", source: ACT },
  { date: '2026-03-20', name: 'Eid al-Fitr', source: SIGHTING },
  { date: '2026-04-03', name: 'Good Friday', source: EASTER },
  { date: '2026-04-06', name: 'Easter Monday', source: EASTER },
  { date: '2026-05-01', name: 'Labour Day', source: ACT },
  { date: '2026-05-27', name: 'Eid al-Adha', source: SIGHTING },
  { date: '2026-06-03', name: "Uganda Martyrs' Day", source: ACT },
  { date: '2026-06-09', name: "National Heroes' Day", source: ACT },
  { date: '2026-10-09', name: 'Independence Day', source: ACT },
  { date: '2026-12-25', name: 'Christmas Day', source: ACT },
  { date: '2026-12-26', name: 'Boxing Day', source: ACT },
  { date: '2027-01-01', name: "New Year's Day", source: ACT },
  { date: '2027-01-26', name: 'NRM Liberation Day', source: ACT },
  { date: '2027-02-16', name: 'Archbishop Janani Luwum Day', source: ACT },
  { date: '2027-03-08', name: "International Women's Day", source: ACT },
  { date: '2027-03-09', name: 'Eid al-Fitr', source: SIGHTING },
  { date: '2027-03-26', name: 'Good Friday', source: EASTER },
  { date: '2027-03-29', name: 'Easter Monday', source: EASTER },
  { date: '2027-05-01', name: 'Labour Day', source: ACT },
  { date: '2027-05-16', name: 'Eid al-Adha', source: SIGHTING },
  { date: '2027-06-03', name: "Uganda Martyrs' Day", source: ACT },
  { date: '2027-06-09', name: "National Heroes' Day", source: ACT },
  { date: '2027-10-09', name: 'Independence Day', source: ACT },
  { date: '2027-12-25', name: 'Christmas Day', source: ACT },
  { date: '2027-12-26', name: 'Boxing Day', source: ACT },
  { date: '2028-01-01', name: "New Year's Day", source: ACT },
  { date: '2028-01-26', name: 'NRM Liberation Day', source: ACT },
  { date: '2028-02-16', name: 'Archbishop Janani Luwum Day', source: ACT },
  { date: '2028-02-26', name: 'Eid al-Fitr', source: SIGHTING },
  { date: '2028-03-08', name: "International Women's Day", source: ACT },
  { date: '2028-04-14', name: 'Good Friday', source: EASTER },
  { date: '2028-04-17', name: 'Easter Monday', source: EASTER },
  { date: '2028-05-01', name: 'Labour Day', source: ACT },
  { date: '2028-05-05', name: 'Eid al-Adha', source: SIGHTING },
  { date: '2028-06-03', name: "Uganda Martyrs' Day", source: ACT },
  { date: '2028-06-09', name: "National Heroes' Day", source: ACT },
  { date: '2028-10-09', name: 'Independence Day', source: ACT },
  { date: '2028-12-25', name: 'Christmas Day', source: ACT },
  { date: '2028-12-26', name: 'Boxing Day', source: ACT },
  { date: '2029-01-01', name: "New Year's Day", source: ACT },
  { date: '2029-01-26', name: 'NRM Liberation Day', source: ACT },
  { date: '2029-02-14', name: 'Eid al-Fitr', source: SIGHTING },
  { date: '2029-02-16', name: 'Archbishop Janani Luwum Day', source: ACT },
  { date: '2029-03-08', name: "International Women's Day", source: ACT },
  { date: '2029-03-30', name: 'Good Friday', source: EASTER },
  { date: '2029-04-02', name: 'Easter Monday', source: EASTER },
  { date: '2029-04-24', name: 'Eid al-Adha', source: SIGHTING },
  { date: '2029-05-01', name: 'Labour Day', source: ACT },
  { date: '2029-06-03', name: "Uganda Martyrs' Day", source: ACT },
  { date: '2029-06-09', name: "National Heroes' Day", source: ACT },
  { date: '2029-10-09', name: 'Independence Day', source: ACT },
  { date: '2029-12-25', name: 'Christmas Day', source: ACT },
  { date: '2029-12-26', name: 'Boxing Day', source: ACT },
  { date: '2030-01-01', name: "New Year's Day", source: ACT },
  { date: '2030-01-26', name: 'NRM Liberation Day', source: ACT },
  { date: '2030-02-04', name: 'Eid al-Fitr', source: SIGHTING },
  { date: '2030-02-16', name: 'Archbishop Janani Luwum Day', source: ACT },
  { date: '2030-03-08', name: "International Women's Day", source: ACT },
  { date: '2030-04-13', name: 'Eid al-Adha', source: SIGHTING },
  { date: '2030-04-19', name: 'Good Friday', source: EASTER },
  { date: '2030-04-22', name: 'Easter Monday', source: EASTER },
  { date: '2030-05-01', name: 'Labour Day', source: ACT },
  { date: '2030-06-03', name: "Uganda Martyrs' Day", source: ACT },
  { date: '2030-06-09', name: "National Heroes' Day", source: ACT },
  { date: '2030-10-09', name: 'Independence Day', source: ACT },
  { date: '2030-12-25', name: 'Christmas Day', source: ACT },
  { date: '2030-12-26', name: 'Boxing Day', source: ACT },
];
