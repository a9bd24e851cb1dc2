import type { CSSProperties } from 'react';
import type { Status } from '#contract/applications/lifecycle.ts';
import type { PersonStatus } from '#contract/people/schema.ts';
import classes from './status-colors.module.css';

/**
 * The colours of the statuses, the same in every pill and chart. No two in a table look alike (status-colors.test.ts).
 */

/** For light and for dark mode. */
type Colors = readonly [light: `#${string}`, dark: `#${string}`];

/** The status of an application. Red is reserved for an advance that was not paid back by its date. */
export const applicationColors = {
  Draft: ['#8d939a', '#81878d'],
  Submitted: ['#2a67bd', '#5e9ae7'],
  'In Review': ['#8254c4', '#b48df4'],
  'Info Requested': ['#c8800d', '#f0b135'],
  'Counter-offered': ['#3a2bb0', '#7a5cff'],
  Approved: ['#1c989e', '#5dcbd1'],
  Declined: ['#844d3a', '#b37458'],
  Withdrawn: ['#464e58', '#c7ced8'],
  Cancelled: ['#a8559a', '#d98fcd'],
  Lapsed: ['#6b6f2a', '#a9ad62'],
  Disbursed: ['#2aa33b', '#68db70'],
  Settled: ['#15632f', '#36884d'],
  Overdue: ['#c21725', '#f54748'],
} as const satisfies Record<Status | 'Overdue', Colors>;

/** The status of an account or a business, and the mark of the current session. */
export const accountColors = {
  Pending: applicationColors.Draft,
  Verified: applicationColors['Info Requested'],
  Active: applicationColors.Disbursed,
  Deactivated: applicationColors.Overdue,
  Inactive: applicationColors.Withdrawn,
  'This one': applicationColors.Submitted,
} as const satisfies Record<PersonStatus | 'Inactive' | 'This one', Colors>;

export type PillStatus = keyof typeof applicationColors | keyof typeof accountColors;

const colors: Readonly<Record<PillStatus, Colors>> = { ...applicationColors, ...accountColors };

/** Sets a status's colour as `--status`, through an element's class and style. */
export function statusColor(status: PillStatus) {
  const [light, dark] = colors[status];
  const style: CSSProperties & Record<`--${string}`, string> = { '--status-light': light, '--status-dark': dark };
  return { className: classes.status ?? '', style };
}

/** A status's colour as text, for places such as a chart. */
export function chartColor(status: PillStatus): string {
  return `light-dark(${colors[status].join()})`;
}
