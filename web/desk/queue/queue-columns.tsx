import { type DeskJob, jobOf, type QueueRow, type QueueView } from '#contract/desk/schema.ts';
import type { Column } from '#web/ui/tables/data-table.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { StatusPill } from '#web/ui/text/status-pill.tsx';
import { AssigneeCell, type AssigneeContext } from './assignee-cell.tsx';
import { Due, LastContact, NextStep, Promised } from './collect-cells.tsx';
import {
  Buyer,
  CaseLink,
  DaysLate,
  DecidedBy,
  DoneAt,
  Flags,
  InTime,
  isUndecided,
  PendingMatters,
  TimeToDecide,
  TwoLines,
} from './queue-cells.tsx';

/** The context that a list's cells need besides their row. */
export interface QueueContext extends AssigneeContext {
  readonly view: QueueView;
  /** When the server answered, in milliseconds since 1970. */
  readonly readAt: number;
}

type QueueColumn = Column<QueueRow>;

const client: QueueColumn = { key: 'client', header: 'Client', isName: true, cell: (row) => <CaseLink row={row} /> };
const buyer: QueueColumn = { key: 'buyer', header: 'Buyer', cell: (row) => <Buyer row={row} /> };
const status: QueueColumn = {
  key: 'status',
  header: 'Status',
  cell: (row) => (
    <TwoLines below={row.flags === 0 ? null : <Flags count={row.flags} />}>
      <StatusPill status={row.status} />
    </TwoLines>
  ),
};

/** An amount column; the sum that a job is about stands out. */
function amount(key: string, header: string, of: (row: QueueRow) => number | null, isStrong = false): QueueColumn {
  const cell = (row: QueueRow) => <Amount value={of(row)} currency={row.currency} />;
  return { key, header, isNumeric: true, isStrong, cell };
}

const applied = amount('applied', 'Applied', (row) => row.amountAppliedFor);

function doneAt(header: string, of: (row: QueueRow) => string | null, { readAt }: QueueContext): QueueColumn {
  const cell = (row: QueueRow) => {
    const at = of(row);
    return at && <DoneAt at={at} readAt={readAt} />;
  };
  return { key: 'at', header, cell };
}

function decidedBy(header: string, { me }: QueueContext): QueueColumn {
  return { key: 'by', header, cell: (row) => row.decidedBy && <DecidedBy row={row} by={row.decidedBy} me={me} /> };
}

function decideColumns(context: QueueContext): readonly QueueColumn[] {
  const { view, me, readAt } = context;
  const left: QueueColumn = {
    key: 'time',
    header: 'Time left',
    isBadge: true,
    cell: (row) =>
      isUndecided(row) ? <TimeToDecide row={row} readAt={readAt} /> : <DaysLate row={row} readAt={readAt} />,
  };
  const assignee: QueueColumn = {
    key: 'assigned',
    header: 'Assigned to',
    cell: (row) => (isUndecided(row) ? <AssigneeCell row={row} {...context} /> : null),
  };
  if (view === 'secondOfficer') {
    const sum = amount('sum', 'Amount', (row) => row.outstanding ?? row.amountAppliedFor, true);
    const cell = (row: QueueRow) => <PendingMatters row={row} me={me} />;
    return [left, client, buyer, sum, { key: 'pending', header: 'Waits for', cell }, status, assignee];
  }
  const received = amount('received', 'To be received', (row) => row.amountReceived, true);
  return [left, client, buyer, applied, received, status, assignee];
}

function payOutColumns(context: QueueContext): readonly QueueColumn[] {
  const [since, sum] =
    context.view === 'surplusOwed'
      ? [
          doneAt('Paid back', (row) => row.settledAt, context),
          amount('owed', 'Extra money owed', (row) => row.surplusOwed, true),
        ]
      : [
          doneAt('Decided', (row) => row.decidedAt, context),
          amount('pay', 'To pay out', (row) => row.amountReceived, true),
        ];
  const check: QueueColumn = {
    key: 'check',
    header: 'Check',
    cell: (row) => (row.flags === 0 ? null : <Flags count={row.flags} />),
  };
  return [since, sum, client, buyer, check, decidedBy('Approved by', context)];
}

function collectColumns({ readAt }: QueueContext): readonly QueueColumn[] {
  return [
    { key: 'late', header: 'Days late', isBadge: true, cell: (row) => <DaysLate row={row} readAt={readAt} /> },
    amount('outstanding', 'Owed', (row) => row.outstanding, true),
    { key: 'due', header: 'Due', cell: (row) => <Due row={row} /> },
    client,
    buyer,
    {
      key: 'contact',
      header: 'Last contact',
      cell: ({ collection }) =>
        collection?.lastContact && <LastContact contact={collection.lastContact} readAt={readAt} />,
    },
    {
      key: 'next',
      header: 'Next step',
      cell: ({ collection }) => collection?.nextStep && <NextStep next={collection.nextStep} />,
    },
    {
      key: 'promise',
      header: 'Promise',
      cell: ({ collection, currency }) =>
        collection?.promise && <Promised promise={collection.promise} currency={currency} />,
    },
  ];
}

function historyColumns(context: QueueContext): readonly QueueColumn[] {
  const { view } = context;
  const by = decidedBy('Decided by', context);
  const sum = { ...applied, isStrong: true };
  const ended = { ...status, isBadge: true };
  if (view === 'settledThisMonth')
    return [doneAt('Paid back', (row) => row.settledAt, context), client, buyer, sum, ended, by];
  const kept: QueueColumn = {
    key: 'kept',
    header: 'In time',
    cell: (row) => <InTime row={row} />,
  };
  return [doneAt('Decided', (row) => row.decidedAt, context), client, buyer, sum, ended, kept, by];
}

const columnsOfJob: Readonly<Record<DeskJob, (context: QueueContext) => readonly QueueColumn[]>> = {
  decide: decideColumns,
  payOut: payOutColumns,
  collect: collectColumns,
  history: historyColumns,
};

/** The columns that a view's job needs. */
export function queueColumns(context: QueueContext): readonly QueueColumn[] {
  return columnsOfJob[jobOf(context.view)](context);
}
