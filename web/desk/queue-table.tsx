import { Anchor, Text, VisuallyHidden } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { statusTraits } from '#contract/applications/lifecycle.ts';
import type { QueueRow, QueueView } from '#contract/desk/schema.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { type Column, DataTable, type ListQuery } from '#web/ui/data-table.tsx';
import { formatFormDate, formatFullDate } from '#web/ui/dates.ts';
import { handFocusOn } from '#web/ui/hand-focus-on.ts';
import { ListCard } from '#web/ui/list-card.tsx';
import { StatusPill } from '#web/ui/status-pill.tsx';
import { WaitingButton } from '#web/ui/waiting-button.tsx';
import classes from './desk.module.css';
import { TimeLeft } from './promise-time.tsx';

interface QueueTableProps {
  readonly view: QueueView;
  readonly query: ListQuery<QueueRow>;
  /** When the server answered, in milliseconds since 1970. */
  readonly readAt: number;
  readonly me: string;
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** Takes a case that nobody has, or gives it back. */
  readonly onHold: (row: QueueRow) => void;
  /** The cases with which that is under way. */
  readonly holding: readonly string[];
  readonly empty: ReactNode;
}

/** Views of what was approved are about the day on which the advance is due. */
const byDueDate: readonly QueueView[] = ['disbursed', 'overdue'];

/** A queue of the desk: a table, or cards on a narrow screen. */
export function QueueTable(props: QueueTableProps) {
  const { query, page, onPage, empty } = props;
  return (
    <DataTable
      label="Queue"
      query={query}
      columns={columnsOf(props)}
      card={(row) => <CaseCard row={row} {...props} />}
      rowKey={(row) => row.tag}
      page={page}
      onPage={onPage}
      empty={empty}
    />
  );
}

function columnsOf(props: QueueTableProps): readonly Column<QueueRow>[] {
  const { view, readAt } = props;
  const when: Column<QueueRow> = byDueDate.includes(view)
    ? { key: 'due', header: 'Due', cell: (row) => <Due row={row} overdue={view === 'overdue'} /> }
    : { key: 'time', header: 'Time left', cell: (row) => <TimeLeft clock={row.clock} readAt={readAt} /> };
  return [
    when,
    { key: 'client', header: 'Client', isName: true, cell: (row) => <CaseLink row={row} /> },
    { key: 'buyer', header: 'Buyer', shrinks: true, cell: (row) => row.buyer },
    {
      key: 'applied',
      header: 'Applied',
      isNumeric: true,
      cell: (row) => <Amount value={row.amountAppliedFor} currency={row.currency} />,
    },
    {
      key: 'received',
      header: 'To be received',
      isNumeric: true,
      isStrong: true,
      cell: (row) => <Amount value={row.amountReceived} />,
    },
    { key: 'status', header: 'Status', cell: (row) => <StatusPill status={row.status} /> },
    { key: 'age', header: 'Age', cell: (row) => <Age submittedAt={row.submittedAt} readAt={readAt} /> },
    { key: 'flags', header: 'Flags', cell: (row) => <Flags count={row.flags} /> },
    { key: 'with', header: 'With', cell: (row) => <Holder row={row} {...props} /> },
  ];
}

/** The link that carries the case's tag, by which the keys know where they are. */
function CaseLink({ row, number = false }: { readonly row: QueueRow; readonly number?: boolean }) {
  return (
    <Anchor component={Link} to={paths.deskCase(row.tag)} data-case={row.tag} title={row.client} inherit>
      {row.client}
      {number ? null : <VisuallyHidden>, invoice {row.invoiceNumber}</VisuallyHidden>}
    </Anchor>
  );
}

function Due({ row: { dueOn }, overdue }: { readonly row: QueueRow; readonly overdue: boolean }) {
  return (
    <span className={classes.time} data-tone={overdue ? 'late' : 'running'}>
      {formatFormDate(dueOn)}
    </span>
  );
}

const MINUTE_MS = 60_000;
const MINUTES_AN_HOUR = 60;
const HOURS_A_DAY = 24;

/** How long ago it was submitted, by the calendar and not by working time; when, on hover. */
function Age({ submittedAt, readAt }: Pick<QueueRow, 'submittedAt'> & Pick<QueueTableProps, 'readAt'>) {
  const minutes = Math.max(0, Math.floor((readAt - Date.parse(submittedAt)) / MINUTE_MS));
  const hours = Math.floor(minutes / MINUTES_AN_HOUR);
  const short =
    hours === 0 ? `${minutes} min` : hours < HOURS_A_DAY ? `${hours} h` : `${Math.floor(hours / HOURS_A_DAY)} d`;
  return (
    <time dateTime={submittedAt} title={formatFullDate(submittedAt)} className={classes.age}>
      {short}
    </time>
  );
}

function Flags({ count }: { readonly count: number }) {
  if (count === 0) return '–';
  return (
    <span className={classes.flag}>
      <IconFlag size={16} aria-hidden />
      {count === 1 ? 'twin' : `${count} twins`}
    </span>
  );
}

type HolderProps = Pick<QueueTableProps, 'me' | 'onHold' | 'holding'> & { readonly row: QueueRow };

/** Who has it, with the way to take it or to give it back, and who gave the first of two approvals. */
function Holder(props: HolderProps) {
  const { row, me } = props;
  return (
    <div className={classes.holder}>
      <div>
        <span>{holderName(row, me)}</span>
        {row.firstApprovalBy !== null && (
          <Text size="xs" c="dimmed" className={classes.firstApproval}>
            first approval by {row.firstApprovalBy.tag === me ? 'you' : row.firstApprovalBy.name}
          </Text>
        )}
      </div>
      <HoldButton {...props} />
    </div>
  );
}

function holderName({ holder }: QueueRow, me: string): string {
  if (holder === null) return '–';
  return holder.tag === me ? 'you' : holder.name;
}

/** From a button that goes, such as 'Take' where a colleague was faster, to the case of its row. */
const toCase = handFocusOn('tr, li', (row) => row.querySelector<HTMLElement>('[data-case]')?.focus());

function HoldButton({ row, me, onHold, holding, large = false }: HolderProps & { readonly large?: boolean }) {
  const { holder, firstApprovalBy, status, client, invoiceNumber } = row;
  const mine = holder?.tag === me;
  // Another officer's, or one that waits for another officer than the one who looks.
  if (!statusTraits[status].undecided || (holder === null ? firstApprovalBy?.tag === me : !mine)) return null;
  const word = mine ? 'Release' : 'Take';
  return (
    <WaitingButton
      variant="default"
      size={large ? 'sm' : 'compact-sm'}
      aria-label={`${word} ${client}, invoice ${invoiceNumber}`}
      busy={holding.includes(row.tag)}
      ref={toCase}
      onClick={() => onHold(row)}
    >
      {word}
    </WaitingButton>
  );
}

function CaseCard({ row, view, readAt, me, onHold, holding }: QueueTableProps & { readonly row: QueueRow }) {
  const due = byDueDate.includes(view);
  return (
    <ListCard
      title={<CaseLink row={row} number />}
      badge={<StatusPill status={row.status} />}
      figure={{ value: <Amount value={row.amountReceived} currency={row.currency} />, caption: 'to be received' }}
      facts={[
        {
          label: due ? 'Due' : 'Time left',
          value: due ? <Due row={row} overdue={view === 'overdue'} /> : <TimeLeft clock={row.clock} readAt={readAt} />,
        },
        { label: 'Invoice', value: row.invoiceNumber },
        { label: 'Buyer', value: row.buyer },
        { label: 'Applied', value: <Amount value={row.amountAppliedFor} /> },
        { label: 'Age', value: <Age submittedAt={row.submittedAt} readAt={readAt} /> },
        { label: 'Flags', value: row.flags === 0 ? null : <Flags count={row.flags} /> },
        { label: 'With', value: holderName(row, me) },
        {
          label: 'First approval',
          value:
            row.firstApprovalBy === null
              ? null
              : `by ${row.firstApprovalBy.tag === me ? 'you' : row.firstApprovalBy.name}`,
        },
      ]}
      actions={<HoldButton row={row} me={me} onHold={onHold} holding={holding} large />}
    />
  );
}
