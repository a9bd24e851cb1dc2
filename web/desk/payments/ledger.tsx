import { Button, Group, Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { isReversible } from '#contract/payments/balance.ts';
import { type LedgerEntry, paymentMethods } from '#contract/payments/schema.ts';
import { ROWS_WITHOUT_FOOTER } from '#contract/product.ts';
import { PHONE } from '#web/notices.ts';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { Amount } from '#web/ui/text/amount.tsx';
import { entryName } from './entry-name.ts';
import classes from './payments.module.css';

/** A table wider than its frame can be scrolled by keyboard too. */
const scrolling = { tabIndex: 0, role: 'group', 'aria-label': 'Ledger, scrolls sideways' } as const;

interface LedgerProps {
  readonly entries: readonly LedgerEntry[];
  /** Undefined for who may not. */
  readonly onReverse: ((entry: LedgerEntry) => void) | undefined;
}

const headings = (
  <Table.Tr>
    <Table.Th scope="col">Date</Table.Th>
    <Table.Th scope="col">Entry</Table.Th>
    <Table.Th scope="col">Method</Table.Th>
    <Table.Th scope="col" data-numeric>
      Amount
    </Table.Th>
    <Table.Th scope="col">By</Table.Th>
    <Table.Th scope="col" data-numeric>
      Action
    </Table.Th>
  </Table.Tr>
);

/** Every entry, oldest first; nothing is ever taken out of it. */
export function Ledger({ entries, onReverse }: LedgerProps) {
  const asList = useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
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
          <LedgerItem key={entry.tag} entry={entry} onReverse={onReverse} />
        ))}
      </ul>
    );
  return (
    <div className={classes.frame} {...scrolling}>
      <Table aria-label="Ledger" className={classes.ledger} verticalSpacing={6} fz="sm">
        <Table.Thead>{headings}</Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <LedgerRow key={entry.tag} entry={entry} onReverse={onReverse} />
          ))}
        </Table.Tbody>
        {entries.length > ROWS_WITHOUT_FOOTER && <Table.Tfoot>{headings}</Table.Tfoot>}
      </Table>
    </div>
  );
}

type EntryProps = Pick<LedgerProps, 'onReverse'> & { readonly entry: LedgerEntry };

function LedgerRow({ entry, onReverse }: EntryProps) {
  const { date, method, reference, reversed, recordedBy } = entry;
  return (
    <Table.Tr data-reversed={reversed || undefined}>
      <Table.Td>{formatFormDate(date)}</Table.Td>
      <Table.Th scope="row">
        <span className={classes.entry}>{entryName(entry)}</span>
        <Reason entry={entry} />
      </Table.Th>
      <Table.Td>
        {method !== null && paymentMethods[method]}
        <Text size="xs" c="dimmed">
          {reference}
        </Text>
      </Table.Td>
      <Table.Td data-numeric>
        <SignedAmount entry={entry} />
      </Table.Td>
      <Table.Td>{recordedBy ?? '-'}</Table.Td>
      <Table.Td data-numeric>
        <Action entry={entry} onReverse={onReverse} />
      </Table.Td>
    </Table.Tr>
  );
}

/** The same on a phone, where a table would have to be scrolled sideways. */
function LedgerItem({ entry, onReverse }: EntryProps) {
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
          <Text size="xs" c="dimmed" className={classes.about}>
            {about.filter(Boolean).join(' · ')}
          </Text>
          <Reason entry={entry} />
        </div>
        <Action entry={entry} onReverse={onReverse} />
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

function Action({ entry, onReverse }: EntryProps) {
  const { kind, reversed, reverses, reference } = entry;
  if (reversed) return 'Reversed';
  if (onReverse === undefined || reverses !== null || !isReversible(kind)) return null;
  return (
    <Button
      variant="default"
      size="compact-sm"
      className={classes.action}
      aria-label={`Reverse this payment: ${entryName(entry)}, reference ${reference}`}
      onClick={() => onReverse(entry)}
    >
      Reverse
    </Button>
  );
}
