import { Alert, Button, Card, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Status } from '#contract/applications/lifecycle.ts';
import { type LedgerEntry, type PaymentsReply, paymentMethods } from '#contract/payments/schema.ts';
import { ROWS_WITHOUT_FOOTER } from '#contract/product.ts';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { Amount } from '#web/ui/text/amount.tsx';
import { entryName } from './entry-name.ts';
import { PaymentDialog, type PaymentKind } from './payment-dialog.tsx';
import { usePayments } from './payments.api.ts';
import classes from './payments.module.css';
import { ReversalDialog } from './reversal-dialog.tsx';

interface PaymentsCardProps {
  /** The invoice's. */
  readonly tag: string;
  readonly status: Status;
  readonly currency: string;
  /** What the client receives. */
  readonly netProceeds: number;
  /** Why whoever looks at it may record nothing; undefined where they may. */
  readonly barred: string | undefined;
  /** Why they may not pay the client, although it is approved or extra is owed; undefined where they may. */
  readonly payOutRefusal: string | undefined;
}

/** What was paid on an application, what is outstanding, and the way to record more. */
export function PaymentsCard(props: PaymentsCardProps) {
  const payments = usePayments(props.tag);
  const { data } = payments;
  return (
    <Card component="section" aria-label="Payments" padding="md">
      <Stack gap="sm">
        {data === undefined && !payments.isError && <Skeleton height={140} />}
        {payments.isError && (
          <Alert color="red" variant="light" title="The payments did not load">
            <Group justify="space-between" gap="sm">
              <Text size="sm">{payments.error.message}</Text>
              <Button variant="default" size="sm" onClick={() => void payments.refetch()}>
                Try again
              </Button>
            </Group>
          </Alert>
        )}
        {data !== undefined && <Loaded {...props} payments={data} />}
      </Stack>
    </Card>
  );
}

type LoadedProps = PaymentsCardProps & { readonly payments: PaymentsReply };

type Open = { readonly record: PaymentKind } | { readonly reverse: LedgerEntry };

function Loaded({ payments, tag, status, currency, netProceeds, barred, payOutRefusal }: LoadedProps) {
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const actions = offered(status, payments);
  const paysClient = actions.some(({ kind }) => kind !== 'receipt');
  const prefilled = { disbursement: netProceeds, receipt: payments.outstanding, surplus: payments.surplusOwed };
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Title order={2}>Payments</Title>
        {barred === undefined && (
          <Group gap="xs">
            {actions.map(({ kind, label, isNext }) => (
              <Button
                key={kind}
                size="sm"
                variant={isNext ? 'filled' : 'default'}
                disabled={kind !== 'receipt' && payOutRefusal !== undefined}
                onClick={() => setOpen({ record: kind })}
              >
                {label}
              </Button>
            ))}
          </Group>
        )}
      </Group>
      {barred !== undefined && <Text size="sm">{barred}.</Text>}
      {barred === undefined && paysClient && payOutRefusal !== undefined && <Text size="sm">{payOutRefusal}.</Text>}
      <Sums payments={payments} currency={currency} />
      <Ledger
        entries={payments.entries}
        onReverse={barred === undefined ? (entry) => setOpen({ reverse: entry }) : undefined}
      />
      {open !== undefined && 'record' in open && (
        <PaymentDialog
          tag={tag}
          kind={open.record}
          currency={currency}
          amount={prefilled[open.record]}
          onClose={close}
        />
      )}
      {open !== undefined && 'reverse' in open && (
        <ReversalDialog tag={tag} entry={open.reverse} currency={currency} onClose={close} />
      )}
    </>
  );
}

interface Offered {
  readonly kind: PaymentKind;
  readonly label: string;
  /** The next thing to do. */
  readonly isNext: boolean;
}

/** What can be recorded in that state. */
function offered(status: Status, { surplusOwed }: PaymentsReply): readonly Offered[] {
  if (status === 'Approved') return [{ kind: 'disbursement', label: 'Record payment to client', isNext: true }];
  if (status === 'Disbursed') return [{ kind: 'receipt', label: 'Record repayment', isNext: true }];
  if (status !== 'Settled') return [];
  const receipt: Offered = { kind: 'receipt', label: 'Record repayment', isNext: false };
  return surplusOwed > 0 ? [{ kind: 'surplus', label: 'Pay extra to client', isNext: true }, receipt] : [receipt];
}

function Sums({ payments, currency }: { readonly payments: PaymentsReply; readonly currency: string }) {
  const { disbursed, received, outstanding, surplusOwed, surplusPaid, dueOn, overdue } = payments;
  const sums = [
    ['Paid out', disbursed, true],
    ['Paid back', received, true],
    ['Still owed', outstanding, true],
    ['Extra owed to client', surplusOwed, surplusOwed > 0],
    ['Extra paid to client', surplusPaid, surplusPaid > 0],
  ] as const;
  return (
    <dl className={classes.sums}>
      {sums.map(([label, value, shown]) =>
        shown ? (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Amount value={value} currency={currency} />
            </dd>
          </div>
        ) : null,
      )}
      {dueOn !== null && (
        <div data-alarm={overdue !== null || undefined}>
          <dt>Pay back by</dt>
          <dd>{formatFormDate(dueOn)}</dd>
        </div>
      )}
    </dl>
  );
}

/** What is wider than its frame is scrolled by keyboard too. */
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
function Ledger({ entries, onReverse }: LedgerProps) {
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No payments yet.
      </Text>
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

function LedgerRow({ entry, onReverse }: Pick<LedgerProps, 'onReverse'> & { readonly entry: LedgerEntry }) {
  const { date, amount, method, reference, reversed, reverses, reason, recordedBy } = entry;
  const mayReverse = onReverse !== undefined && !reversed && reverses === null;
  return (
    <Table.Tr data-reversed={reversed || undefined}>
      <Table.Td>{formatFormDate(date)}</Table.Td>
      <Table.Th scope="row">
        <span className={classes.entry}>{entryName(entry)}</span>
        {reason !== null && (
          <Text size="xs" c="dimmed" style={{ whiteSpace: 'pre-line' }}>
            {reason}
          </Text>
        )}
      </Table.Th>
      <Table.Td>
        {paymentMethods[method]}
        <Text size="xs" c="dimmed">
          {reference}
        </Text>
      </Table.Td>
      <Table.Td data-numeric>
        {amount < 0 ? '−' : ''}
        <Amount value={Math.abs(amount)} />
      </Table.Td>
      <Table.Td>{recordedBy ?? '-'}</Table.Td>
      <Table.Td data-numeric>
        {mayReverse && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Reverse this payment: ${entryName(entry)}, reference ${reference}`}
            onClick={() => onReverse(entry)}
          >
            Reverse
          </Button>
        )}
        {reversed && 'Reversed'}
      </Table.Td>
    </Table.Tr>
  );
}
