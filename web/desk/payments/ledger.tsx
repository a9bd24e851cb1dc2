import { Button, Group, Text } from '@mantine/core';
import { type LedgerEntry, paymentMethods } from '#contract/payments/schema.ts';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import type { Column } from '#web/ui/tables/data-table.tsx';
import { PlainTable, scrollsSideways } from '#web/ui/tables/plain-table.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { Dotted } from '#web/ui/text/dotted.tsx';
import { sentence } from '#web/ui/text/sentence.ts';
import { useIsPhone } from '#web/ui/theme/use-is-phone.ts';
import { entryName } from './entry-name.ts';
import classes from './payments.module.css';

interface LedgerProps {
  readonly entries: readonly LedgerEntry[];
  /** The entry that a proposal would reverse. */
  readonly proposed: string | null;
  readonly onReverse: (entry: LedgerEntry) => void;
}

/** Every entry, oldest first; entries are never deleted. */
export function Ledger(props: LedgerProps) {
  return (
    <>
      <Entries {...props} />
      <Reasons entries={props.entries} />
    </>
  );
}

function Entries({ entries, ...acts }: LedgerProps) {
  const columns: readonly Column<LedgerEntry>[] = [
    { key: 'date', header: 'Date', cell: ({ date }) => formatFormDate(date) },
    {
      key: 'entry',
      header: 'Entry',
      isName: true,
      cell: (entry) => (
        <>
          <span className={classes.entry}>{entryName(entry)}</span>
          <Reason entry={entry} />
        </>
      ),
    },
    {
      key: 'method',
      header: 'Method',
      cell: ({ method, reference }) => (
        <>
          {method !== null && paymentMethods[method]}
          <Text size="xs" c="dimmed">
            {reference}
          </Text>
        </>
      ),
    },
    { key: 'amount', header: 'Amount', cell: (entry) => <SignedAmount entry={entry} />, isNumeric: true },
    { key: 'by', header: 'By', cell: ({ recordedBy }) => recordedBy ?? '-' },
    {
      key: 'action',
      header: 'Action',
      cell: (entry) => <Action entry={entry} {...acts} />,
      isNumeric: true,
    },
  ];
  const asList = useIsPhone();
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No payments yet.
      </Text>
    );
  if (asList)
    return (
      <ul className={classes.list} aria-label="Ledger">
        {entries.map((entry) => (
          <LedgerItem key={entry.tag} entry={entry} {...acts} />
        ))}
      </ul>
    );
  return (
    <div className={classes.frame} {...scrollsSideways('Ledger')}>
      <PlainTable
        columns={columns}
        rows={entries}
        rowKey={({ tag }) => tag}
        className={classes.ledger ?? ''}
        fz="sm"
        aria-label="Ledger"
        isReversed={({ reversed }) => reversed}
      />
    </div>
  );
}

type EntryProps = Pick<LedgerProps, 'onReverse' | 'proposed'> & { readonly entry: LedgerEntry };

/** An entry on a phone, where a table would have to be scrolled sideways. */
function LedgerItem({ entry, ...acts }: EntryProps) {
  const { date, method, reference, reversed, recordedBy } = entry;
  const about = [formatFormDate(date), method && paymentMethods[method], reference, recordedBy && `by ${recordedBy}`];
  return (
    <li data-reversed={reversed || undefined}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="baseline">
        <span className={classes.entry}>{entryName(entry)}</span>
        <b>
          <SignedAmount entry={entry} />
        </b>
      </Group>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-end">
        <div>
          <Text size="xs" c="dimmed">
            <Dotted parts={about} />
          </Text>
          <Reason entry={entry} />
        </div>
        <Action entry={entry} {...acts} />
      </Group>
    </li>
  );
}

function Reason({ entry: { reason } }: Pick<EntryProps, 'entry'>) {
  if (reason === null) return null;
  return (
    <Text size="xs" c="dimmed" style={{ whiteSpace: 'pre-line' }}>
      {reason}
    </Text>
  );
}

function SignedAmount({ entry: { amount } }: Pick<EntryProps, 'entry'>) {
  return (
    <>
      {amount < 0 ? '−' : ''}
      <Amount value={Math.abs(amount)} />
    </>
  );
}

function Action({ entry, proposed, onReverse }: EntryProps) {
  const { tag, reversed, reference, reversal } = entry;
  if (reversed) return 'Reversed';
  if (tag === proposed) return 'Reversal proposed';
  if (reversal === null) return null;
  const [refusal] = reversal.refusals;
  if (refusal?.code === 'SHOWN_PAID') return 'Shown as paid';
  return (
    <Button
      variant="default"
      size="compact-sm"
      className={classes.action}
      disabled={refusal !== undefined}
      aria-label={`Reverse this payment: ${entryName(entry)}, reference ${reference}`}
      onClick={() => onReverse(entry)}
    >
      Reverse
    </Button>
  );
}

/** Why some of the payments can't be reversed, each reason once. */
function Reasons({ entries }: Pick<LedgerProps, 'entries'>) {
  const refusals = entries.flatMap(({ reversal }) => reversal?.refusals.slice(0, 1) ?? []);
  const reasons = new Map(refusals.map(({ code, text }) => [code, text]));
  reasons.delete('SHOWN_PAID');
  return [...reasons.values()].map((reason) => (
    <Text key={reason} size="sm" c="dimmed">
      {sentence(reason)}
    </Text>
  ));
}
