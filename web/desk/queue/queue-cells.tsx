import { Anchor } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { statusTraits } from '#contract/applications/lifecycle.ts';
import { counted, countedShort } from '#contract/counts.ts';
import { type Officer, type Pending, pendingKinds, type QueueRow, queueMarks } from '#contract/desk/schema.ts';
import { daysBetween, kampalaDate } from '#contract/time/calendar.ts';
import classes from '#web/desk/desk.module.css';
import { TimeLeft } from '#web/desk/time-left.tsx';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { formatFormDate, formatFullDate, sayElapsed } from '#web/ui/dates/dates.ts';
import { BusinessLink } from '#web/ui/text/business-link.tsx';

/** Contents of the cells and cards of the desk's lists. */

export interface RowProps {
  readonly row: QueueRow;
}

export interface ReadRowProps extends RowProps {
  /** When the server answered, in milliseconds since 1970. */
  readonly readAt: number;
}

interface OfficersProps extends RowProps {
  /** The officer who is reading the list. */
  readonly me: string;
}

/** Two lines of a cell, the second one dimmed. */
export function TwoLines({ children, below }: { readonly children: ReactNode; readonly below: ReactNode }) {
  return (
    <>
      <div>{children}</div>
      {below !== null && (
        <div className={classes.below} title={typeof below === 'string' ? below : undefined}>
          {below}
        </div>
      )}
    </>
  );
}

/** Client and invoice number as a link. It carries the case's tag, which the shortcuts use to find the focused case. */
export function CaseLink({ row: { tag, client, invoiceNumber, mark } }: RowProps) {
  return (
    <Anchor component={Link} to={paths.deskCase(tag)} data-case={tag} title={client} inherit className={classes.case}>
      <span className={classes.name}>{client}</span>{' '}
      <span className={classes.number}>
        {invoiceNumber}
        {mark !== null && (
          <>
            {' '}
            <span className={classes.mark} data-mark={mark}>
              {queueMarks[mark]}
            </span>
          </>
        )}
      </span>
    </Anchor>
  );
}

/** The buyer's name in at most two lines, as the link to its page. */
export function Buyer({ row: { buyer, buyerTag } }: RowProps) {
  return (
    <span className={classes.name}>
      <BusinessLink tag={buyerTag}>{buyer}</BusinessLink>
    </span>
  );
}

/** How long ago something happened, in calendar time, not working time; the exact time on hover. */
export function Age({ since, readAt }: { readonly since: string; readonly readAt: number }) {
  return (
    <time dateTime={since} title={formatFullDate(since)} className={classes.age}>
      {sayElapsed(readAt - Date.parse(since), countedShort)}
    </time>
  );
}

/** Whether a case still waits for a decision; otherwise it is paid out or ended. */
export function isUndecided({ status }: QueueRow): boolean {
  return statusTraits[status].undecided;
}

/** The time left to decide, and how long ago the case was submitted. */
export function TimeToDecide({ row: { clock, submittedAt }, readAt }: ReadRowProps) {
  const sent = (
    <>
      sent <Age since={submittedAt} readAt={readAt} />
    </>
  );
  return (
    <TwoLines below={sent}>
      <TimeLeft clock={clock} readAt={readAt} />
    </TwoLines>
  );
}

/** When something was done, and how long ago that is. */
export function DoneAt({ at, readAt }: { readonly at: string; readonly readAt: number }) {
  return <TwoLines below={<Age since={at} readAt={readAt} />}>{formatFormDate(at)}</TwoLines>;
}

/** Whether the decision kept to the SLA. */
export function InTime({ row: { clock } }: RowProps) {
  return (
    <span className={classes.time} data-tone={clock.missed ? 'late' : 'ended'}>
      {clock.missed ? 'No' : 'Yes'}
    </span>
  );
}

export function Flags({ count }: { readonly count: number }) {
  return (
    <span className={classes.flag}>
      <IconFlag size={14} aria-hidden />
      {counted(count, 'flag')}
    </span>
  );
}

/** How late an advance is, in red, or how much time is left. */
export function DaysLate({ row: { overdue, dueOn }, readAt }: ReadRowProps) {
  if (overdue !== null)
    return (
      <span className={classes.time} data-tone="late">
        Overdue {counted(overdue.days, 'day')}
      </span>
    );
  return <span className={classes.time}>{dueOn === null ? '-' : sayDaysTo(dueOn, readAt)}</span>;
}

function sayDaysTo(day: string, readAt: number): string {
  const days = daysBetween(kampalaDate(new Date(readAt)), day);
  return days === 0 ? 'Due today' : `Due in ${counted(days, 'day')}`;
}

/** The name of the officer who has the case, or acted on it. */
export function officerName(officer: QueueRow['holder'], me: string): string {
  if (officer === null) return 'Unassigned';
  return officer.tag === me ? 'you' : officer.name;
}

/** Who approved or declined it, and who gave the first of two approvals. */
export function DecidedBy({ row: { firstApprovalBy }, by, me }: OfficersProps & { readonly by: Officer }) {
  return (
    <TwoLines below={firstApprovalBy === null ? null : `and ${officerName(firstApprovalBy, me)}`}>
      {officerName(by, me)}
    </TwoLines>
  );
}

/**
 * Matters that wait for another officer, and who began them. The officer who began one reads that another must finish
 * it.
 */
export function PendingMatters({ row: { pending }, me }: OfficersProps) {
  if (pending.length === 0) return '-';
  const begun = pending.flatMap((one) => sayBegun(one, me) ?? []);
  return (
    <div className={classes.pending}>
      <TwoLines below={begun.length === 0 ? null : begun.join(' · ')}>
        {pending.map(({ kind }) => pendingKinds[kind]).join(' · ')}
      </TwoLines>
    </div>
  );
}

/** Null for an approval: the list already names who gave it, beside the assignee. */
function sayBegun({ kind, by }: Pending, me: string): string | null {
  if (kind === 'approval') return null;
  const [began, ends] = kind === 'moreTime' ? ['offered', 'agrees'] : ['proposed', 'confirms'];
  if (by === null) return 'asked by the client';
  return by.tag === me ? `${began} by you, another officer ${ends}` : `${began} by ${by.name}`;
}
