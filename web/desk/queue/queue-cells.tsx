import { Anchor } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { counted, countedShort } from '#contract/counts.ts';
import { type QueueRow, queueMarks } from '#contract/desk/schema.ts';
import { daysBetween, kampalaDate } from '#contract/time/calendar.ts';
import classes from '#web/desk/desk.module.css';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { formatFormDate, formatFullDate, sayElapsed } from '#web/ui/dates/dates.ts';

/** The contents of the cells and cards of the desk's lists. */

/** Two lines of a cell, the second one quiet. */
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

/** Client and invoice number: the link that carries the case's tag, by which the keys know where they are. */
export function CaseLink({ row: { tag, client, invoiceNumber, mark } }: { readonly row: QueueRow }) {
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

/** A name in at most two lines; all of it on hover. */
export function Name({ children }: { readonly children: string }) {
  return (
    <span className={classes.name} title={children}>
      {children}
    </span>
  );
}

interface AgeProps {
  readonly since: string;
  /** When the server answered, in milliseconds since 1970. */
  readonly readAt: number;
}

/** How long ago something was, by the calendar and not by working time; when, on hover. */
export function Age({ since, readAt }: AgeProps) {
  return (
    <time dateTime={since} title={formatFullDate(since)} className={classes.age}>
      {sayElapsed(readAt - Date.parse(since), countedShort)}
    </time>
  );
}

/** When something was done, with how long ago that is. */
export function DoneAt({ at, readAt }: { readonly at: string | null; readonly readAt: number }) {
  if (at === null) return '-';
  return <TwoLines below={<Age since={at} readAt={readAt} />}>{formatFormDate(at)}</TwoLines>;
}

/** Whether the decision kept to the SLA. */
export function InTime({ row: { clock } }: { readonly row: QueueRow }) {
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

/** How late an advance is, in red, or how long there still is. */
export function DaysLate({ row: { overdue, dueOn }, readAt }: { readonly row: QueueRow; readonly readAt: number }) {
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

/** Who has the case, or who did something with it. */
export function officerName(officer: QueueRow['holder'], me: string): string {
  if (officer === null) return 'Unassigned';
  return officer.tag === me ? 'you' : officer.name;
}

/** Who approved or declined it, and beside them who gave the first of two approvals. */
export function DecidedBy({
  row: { decidedBy, firstApprovalBy },
  me,
}: {
  readonly row: QueueRow;
  readonly me: string;
}) {
  if (decidedBy === null) return '-';
  return (
    <TwoLines below={firstApprovalBy === null ? null : `and ${officerName(firstApprovalBy, me)}`}>
      {officerName(decidedBy, me)}
    </TwoLines>
  );
}
