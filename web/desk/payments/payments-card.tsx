import { Anchor, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { counted } from '#contract/counts.ts';
import type { CaseReply } from '#contract/desk/schema.ts';
import { failures } from '#contract/errors.ts';
import type { LedgerEntry, PaymentsReply } from '#contract/payments/schema.ts';
import { BusinessAccounts } from '#web/desk/payouts/business-accounts.tsx';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { DeductionDialog } from './deduction-dialog.tsx';
import { Ledger } from './ledger.tsx';
import { PaymentDialog } from './payment-dialog.tsx';
import { usePayments } from './payments.api.ts';
import classes from './payments.module.css';
import { PayoutPanel } from './payout-panel.tsx';
import { RequestLines } from './request-lines.tsx';
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
        {payments.isError && <NotLoaded what="The payments" query={payments} />}
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
  const paysOut = status === 'Approved' || payments.surplusOwed > 0 || payments.restOwed > 0;
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
      <RequestLines tag={tag} />
      {mayRecord && <WriteOffPanel tag={tag} currency={currency} payments={payments} />}
      <Ledger entries={payments.entries} onReverse={mayRecord ? (entry) => setOpen({ reverse: entry }) : undefined} />
      {open === 'receipt' && (
        <PaymentDialog tag={tag} currency={currency} amount={payments.outstanding} onClose={close} />
      )}
      {open === 'deduction' && (
        <DeductionDialog tag={tag} currency={currency} buyerOwes={payments.buyerOwes} onClose={close} />
      )}
      {typeof open === 'object' && <ReversalDialog entry={open.reverse} currency={currency} onClose={close} />}
    </>
  );
}

function Sums({ payments, currency }: { readonly payments: PaymentsReply; readonly currency: string }) {
  const {
    disbursed,
    restOwed,
    received,
    outstanding,
    surplusOwed,
    surplusPaid,
    deducted,
    buyerOwes,
    dueOn,
    overdue,
    lateCharge,
  } = payments;
  const sums = [
    ['Paid out', disbursed, true],
    ['Still to pay out', restOwed, restOwed > 0],
    ['Paid back', received, true],
    ['Still owed', outstanding, true],
    [
      `Charged for ${counted(lateCharge?.days ?? 0, 'late day')}`,
      lateCharge?.charged ?? 0,
      (lateCharge?.charged ?? 0) > 0,
    ],
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
