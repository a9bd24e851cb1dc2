import { formatNumeric } from '#contract/money.ts';

/**
 * A count as people read it: '10,000'. The browser's own formatting would take 5 ms of a cheap phone for the first one
 * (docs/decisions/0029-screens-on-a-bad-line.md).
 */
export function formatCount(count: number): string {
  return formatNumeric(String(count));
}

/** A count and what is counted: '1 application', '10,000 applications'. The unit's plural ends with 's'. */
export function counted(count: number, unit: string): string {
  return `${formatCount(count)} ${unit}${count === 1 ? '' : 's'}`;
}
