import { Alert, Anchor, Button, Card, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { CaseReply } from '#contract/desk/schema.ts';
import { failures } from '#contract/errors.ts';
import { type LedgerEntry, type PaymentsReply, paymentMethods } from '#contract/payments/schema.ts';
import { ROWS_WITHOUT_FOOTER } from '#contract/product.ts';
import { BusinessAccounts } from '#web/desk/payouts/business-accounts.tsx';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { Amount } from '#web/ui/text/amount.tsx';
import { DeductionDialog } from './deduction-dialog.tsx';
import { entryName } from './entry-name.ts';
import { PaymentDialog } from './payment-dialog.tsx';
import { usePayments } from './payments.api.ts';
import classes from './payments.module.css';
import { PayoutPanel } from './payout-panel.tsx';
import { ReversalDialog } from './reversal-dialog.tsx';
import { WriteOffPanel } from './write-off-panel.tsx';

interface PaymentsCardProps {
  readonly subject: CaseReply;
}

/** An application's payments, what is outstanding, and the button to record more. */
export function PaymentsCard(props: PaymentsCardProps) {
  const payments = usePayments(props.subject.tag);
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

type Open = 'receipt' | 'deduction' | { readonly reverse: LedgerEntry };

function Loaded({ payments, subject }: LoadedProps) {
  const { tag, status, currency, clientTag } = subject;
  const mayRecord = subject.barred === null;
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const paysOut = status === 'Approved' || payments.surplusOwed > 0;
  const takesReceipts = status === 'Disbursed' || status === 'Settled';
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Group gap="sm" align="baseline">
          <Title order={2}>Payments</Title>
          {payments.entries.length > 0 && (
            <Anchor component={Link} to={paths.journalOf(tag)} size="sm">
              Journal
            </Anchor>
          )}
        </Group>
        {mayRecord && takesReceipts && (
          <Group gap="xs">
            {payments.buyerOwes > 0 && (
              <Button size="sm" variant="default" onClick={() => setOpen('deduction')}>
                Record deduction
              </Button>
            )}
            <Button
              size="sm"
              variant={status === 'Disbursed' ? 'filled' : 'default'}
              onClick={() => setOpen('receipt')}
            >
              Record repayment
            </Button>
          </Group>
        )}
      </Group>
      {mayRecord ? <PayoutPanel subject={subject} /> : <Text size="sm">{failures.OWN_BUSINESS.msg}.</Text>}
      {paysOut && mayRecord && <BusinessAccounts businessTag={clientTag} />}
      <Sums payments={payments} currency={currency} />
      {mayRecord && <WriteOffPanel tag={tag} currency={currency} payments={payments} />}
      <Ledger entries={payments.entries} onReverse={mayRecord ? (entry) => setOpen({ reverse: entry }) : undefined} />
      {open === 'receipt' && (
        <PaymentDialog tag={tag} currency={currency} amount={payments.outstanding} onClose={close} />
      )}
      {open === 'deduction' && (
        <DeductionDialog tag={tag} currency={currency} buyerOwes={payments.buyerOwes} onClose={close} />
      )}
      {typeof open === 'object' && (
        <ReversalDialog tag={tag} entry={open.reverse} currency={currency} onClose={close} />
      )}
    </>
  );
}

function Sums({ payments, currency }: { readonly payments: PaymentsReply; readonly currency: string }) {
  const { disbursed, received, outstanding, surplusOwed, surplusPaid, deducted, buyerOwes, dueOn, overdue } = payments;
  const sums = [
    ['Paid out', disbursed, true],
    ['Paid back', received, true],
    ['Still owed', outstanding, true],
    ['Kept back by buyer', deducted, deducted > 0],
    ['Buyer owes on invoice', buyerOwes, deducted > 0],
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
        {method !== null && paymentMethods[method]}
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
