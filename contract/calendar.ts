/** Every calendar rule runs in Africa/Kampala (decisions), which is UTC+3 all year and has no summer time. */
const KAMPALA_OFFSET_MS = 3 * 60 * 60 * 1000;

/** The calendar date (YYYY-MM-DD) in Kampala at an instant. */
export function kampalaDate(instant: Date): string {
  return new Date(instant.getTime() + KAMPALA_OFFSET_MS).toISOString().slice(0, 10);
}

/** Whether a YYYY-MM-DD date lies after today's; both compare as text. */
export function isAfter(date: string, today: string): boolean {
  return date > today;
}
