import { Anchor, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { counted } from '#contract/counts.ts';
import type { CaseReply } from '#contract/desk/schema.ts';
import { failures } from '#contract/errors.ts';
import { paymentEndpoints } from '#contract/payments/endpoints.ts';
import type { LedgerEntry, PaymentsReply } from '#contract/payments/schema.ts';
import { BusinessAccounts } from '#web/desk/payouts/business-accounts.tsx';
import { paths } from '#web/paths.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { Link } from '#web/platform/router/router.tsx';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { FactList } from '#web/ui/text/fact-list.tsx';
import { DeductionDialog } from './deduction-dialog.tsx';
import { Ledger } from './ledger.tsx';
import { PaymentDialog } from './payment-dialog.tsx';
import classes from './payments.module.css';
import { PayoutPanel } from './payout-panel.tsx';
import { ProposalPanel } from './proposal-panel.tsx';
import { RequestLines } from './request-lines.tsx';
import { ReversalDialog } from './reversal-dialog.tsx';
import { WriteOffPanel } from './write-off-panel.tsx';

interface PaymentsCardProps {
  readonly subject: CaseReply;
}

/** An application's payments, the outstanding amount, and the button to record another payment. */
export function PaymentsCard(props: PaymentsCardProps) {
  const payments = useCall(paymentEndpoints.listPayments, { params: { tag: props.subject.tag }, ...live });
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
  const { proposal } = payments;
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
              variant={status === 'Disbursed' && subject.overdue === null && !paysOut ? 'filled' : 'default'}
              onClick={() => setOpen('receipt')}
            >
              Record repayment
            </Button>
          </Group>
        )}
      </Group>
      {mayRecord ? <PayoutPanel subject={subject} /> : <Text size="sm">{failures.OWN_BUSINESS.msg}.</Text>}
      {paysOut && mayRecord && <BusinessAccounts businessTag={clientTag} headingOrder={3} />}
      {payments.entries.length > 0 && <Sums payments={payments} currency={currency} />}
      <RequestLines tag={tag} />
      {mayRecord && proposal !== null && (
        <ProposalPanel
          tag={tag}
          currency={currency}
          proposal={proposal}
          entry={payments.entries.find((entry) => entry.tag === proposal.entryTag)}
        />
      )}
      {mayRecord && <WriteOffPanel tag={tag} currency={currency} payments={payments} />}
      <Ledger
        entries={payments.entries}
        proposed={proposal?.entryTag ?? null}
        onReverse={(entry) => setOpen({ reverse: entry })}
      />
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
  const { restOwed, deducted, surplusOwed, surplusPaid, dueOn, overdue, lateCharge } = payments;
  const sum = (value: number) => <Amount value={value} currency={currency} />;
  const sumIfAny = (value: number) => (value > 0 ? sum(value) : null);
  return (
    <FactList
      className={classes.sums}
      facts={[
        { label: 'Paid out', value: sum(payments.disbursed) },
        { label: 'Still to pay out', value: sumIfAny(restOwed) },
        { label: 'Paid back', value: sum(payments.received) },
        { label: 'Still owed', value: sum(payments.outstanding) },
        {
          label: `Charged for ${counted(lateCharge?.days ?? 0, 'late day')}`,
          value: sumIfAny(lateCharge?.charged ?? 0),
        },
        { label: 'Kept back by buyer', value: sumIfAny(deducted) },
        { label: 'Buyer owes on invoice', value: deducted > 0 ? sum(payments.buyerOwes) : null },
        { label: 'Extra owed to client', value: sumIfAny(surplusOwed) },
        { label: 'Extra paid to client', value: sumIfAny(surplusPaid) },
        { label: 'Pay back by', value: dueOn && formatFormDate(dueOn), isAlarm: overdue !== null },
      ]}
    />
  );
}
