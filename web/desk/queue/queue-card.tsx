import { type DeskJob, jobOf, type QueueRow } from '#contract/desk/schema.ts';
import { TimeLeft } from '#web/desk/time-left.tsx';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { ListCard } from '#web/ui/tables/list-card.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { StatusPill } from '#web/ui/text/status-pill.tsx';
import { AssignButton } from './assignee-cell.tsx';
import { Due, LastContact, NextStep, Promised } from './collect-cells.tsx';
import { Age, CaseLink, DaysLate, Flags, InTime, isUndecided, officerName, PendingMatters } from './queue-cells.tsx';
import type { QueueContext } from './queue-columns.tsx';

type Card = Pick<Parameters<typeof ListCard>[0], 'badge' | 'figure' | 'facts'>;

const statusFact = (row: QueueRow) => ({ label: 'Status', value: <StatusPill status={row.status} /> });
const buyerFact = (row: QueueRow) => ({ label: 'Buyer', value: row.buyer });
const flagsFact = (row: QueueRow) => ({
  label: 'Check',
  value: row.flags === 0 ? null : <Flags count={row.flags} />,
});
const firstApprovalFact = ({ firstApprovalBy }: QueueRow, me: string) => ({
  label: 'First approval',
  value: firstApprovalBy === null ? null : `by ${officerName(firstApprovalBy, me)}`,
});

function decideCard(row: QueueRow, context: QueueContext): Card {
  const { view, me, readAt } = context;
  if (view === 'secondOfficer') return secondOfficerCard(row, context);
  return {
    badge: <TimeLeft clock={row.clock} readAt={readAt} />,
    figure: { value: <Amount value={row.amountReceived} currency={row.currency} />, caption: 'To be received' },
    facts: [
      buyerFact(row),
      { label: 'Applied', value: <Amount value={row.amountAppliedFor} currency={row.currency} /> },
      statusFact(row),
      flagsFact(row),
      { label: 'Sent', value: <Age since={row.submittedAt} readAt={readAt} /> },
      { label: 'Assigned to', value: officerName(row.holder, me) },
      firstApprovalFact(row, me),
    ],
  };
}

function secondOfficerCard(row: QueueRow, { me, readAt }: QueueContext): Card {
  const { outstanding, amountAppliedFor, currency } = row;
  return {
    badge: isUndecided(row) ? <TimeLeft clock={row.clock} readAt={readAt} /> : <DaysLate row={row} readAt={readAt} />,
    figure: {
      value: <Amount value={outstanding ?? amountAppliedFor} currency={currency} />,
      caption: outstanding === null ? 'Applied' : 'Outstanding',
    },
    facts: [
      { label: 'Waits for', value: <PendingMatters row={row} me={me} /> },
      firstApprovalFact(row, me),
      buyerFact(row),
      statusFact(row),
      flagsFact(row),
      { label: 'Assigned to', value: isUndecided(row) ? officerName(row.holder, me) : null },
    ],
  };
}

function payOutCard(row: QueueRow, { view, me, readAt }: QueueContext): Card {
  const isSurplus = view === 'surplusOwed';
  const since = isSurplus ? row.settledAt : row.decidedAt;
  return {
    badge: since === null ? undefined : <Age since={since} readAt={readAt} />,
    figure: {
      value: <Amount value={isSurplus ? row.surplusOwed : row.amountReceived} currency={row.currency} />,
      caption: isSurplus ? 'Extra money owed' : 'To pay out',
    },
    facts: [
      buyerFact(row),
      flagsFact(row),
      { label: isSurplus ? 'Paid back' : 'Decided', value: formatFormDate(since) },
      { label: 'Approved by', value: row.decidedBy === null ? null : officerName(row.decidedBy, me) },
      firstApprovalFact(row, me),
    ],
  };
}

function collectCard(row: QueueRow, { readAt }: QueueContext): Card {
  const { lastContact = null, nextStep = null, promise = null } = row.collection ?? {};
  return {
    badge: <DaysLate row={row} readAt={readAt} />,
    figure: { value: <Amount value={row.outstanding} currency={row.currency} />, caption: 'Outstanding' },
    facts: [
      { label: 'Due', value: <Due row={row} /> },
      buyerFact(row),
      { label: 'Last contact', value: lastContact && <LastContact row={row} readAt={readAt} /> },
      { label: 'Next step', value: nextStep && <NextStep row={row} /> },
      { label: 'Promise', value: promise && <Promised row={row} /> },
    ],
  };
}

function historyCard(row: QueueRow, { view, me }: QueueContext): Card {
  const isSettled = view === 'settledThisMonth';
  return {
    badge: <StatusPill status={row.status} />,
    figure: { value: <Amount value={row.amountAppliedFor} currency={row.currency} />, caption: 'Applied' },
    facts: [
      { label: isSettled ? 'Paid back' : 'Decided', value: formatFormDate(isSettled ? row.settledAt : row.decidedAt) },
      buyerFact(row),
      { label: 'In time', value: isSettled ? null : <InTime row={row} /> },
      { label: 'Decided by', value: row.decidedBy === null ? null : officerName(row.decidedBy, me) },
    ],
  };
}

const cardOfJob: Readonly<Record<DeskJob, (row: QueueRow, context: QueueContext) => Card>> = {
  decide: decideCard,
  payOut: payOutCard,
  collect: collectCard,
  history: historyCard,
};

/** A case on a narrow screen: the sum that the job is about is largest, and the urgency is beside the name. */
export function QueueCard({ row, ...context }: QueueContext & { readonly row: QueueRow }) {
  return (
    <ListCard
      title={<CaseLink row={row} />}
      {...cardOfJob[jobOf(context.view)](row, context)}
      actions={<AssignButton row={row} {...context} large />}
    />
  );
}
