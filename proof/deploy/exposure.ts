/** The highest exposure allowed for a unit, from 0 (none) to 10. */
export const MOST_EXPOSED = 3;

/** The exposure in a report of `systemd-analyze security`. */
export function exposureIn(report: string): number {
  return Number(/Overall exposure level for .*?: ([\d.]+)/.exec(report)?.[1] ?? Number.NaN);
}
