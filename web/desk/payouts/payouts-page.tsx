import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import { type OfficerPayoutAccount, payoutKinds, type WaitingPayout } from '#contract/payouts/schema.ts';
import { sayMoment } from '#contract/time/calendar.ts';
import { transferEndpoints } from '#contract/transfers/endpoints.ts';
import type { OpenTransfer } from '#contract/transfers/schema.ts';
import { ListPages } from '#web/desk/list-pages.tsx';
import { PayeeFacts } from '#web/desk/payments/payee-facts.tsx';
import { TransferLine } from '#web/desk/payments/transfer-line.tsx';
import { paths } from '#web/paths.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { Link } from '#web/platform/router/router.tsx';
import { type Asked, Loaded } from '#web/ui/loading/not-loaded.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import ruled from '#web/ui/text/ruled-list.module.css';
import { SectionCard } from '#web/ui/text/section-card.tsx';
import { BatchesCard } from './batches-card.tsx';
import { EndingDialog, EndingNotice, type EndingStep, isUnsent } from './ending-dialogs.tsx';
import { VerifyDialog } from './verify-dialog.tsx';

/** Payouts to release and accounts to check, which wait for a second officer, and payouts being sent. */
export function PayoutsPage() {
  const accounts = useCall(payoutEndpoints.waitingPayoutAccounts, live);
  const [payoutsAfter, showPayoutsAfter] = useState<string>();
  const payouts = useCall(payoutEndpoints.waitingPayouts, { ...pageAfter(payoutsAfter), ...live });
  const [transfersAfter, showTransfersAfter] = useState<string>();
  const transfers = useCall(transferEndpoints.openTransfers, { ...pageAfter(transfersAfter), ...live });
  const [checked, setChecked] = useState<OfficerPayoutAccount>();
  return (
    <Stack gap="lg">
      <PageTitle title="Payouts" />
      <Title order={1}>Payouts</Title>
      <Section
        title="Waiting for release"
        empty="No payout waits for release."
        list={{ ...payouts, data: payouts.data?.rows }}
        pages={
          payouts.data && {
            ...payouts.data,
            isFirst: payoutsAfter === undefined,
            order: 'the oldest first',
            onPage: showPayoutsAfter,
          }
        }
      >
        {(payout) => <PayoutLine key={payout.tag} payout={payout} />}
      </Section>
      <BatchesCard />
      <Section
        title="On their way"
        empty="Nothing is on its way."
        list={{ ...transfers, data: transfers.data?.rows }}
        pages={
          transfers.data && {
            ...transfers.data,
            isFirst: transfersAfter === undefined,
            order: 'late ones first',
            onPage: showTransfersAfter,
          }
        }
      >
        {(transfer) => <TransferRow key={transfer.tag} transfer={transfer} />}
      </Section>
      <Section title="Accounts to check" empty="No account waits for a check." list={accounts}>
        {(account) => <AccountLine key={account.tag} account={account} onCheck={() => setChecked(account)} />}
      </Section>
      {checked !== undefined && <VerifyDialog account={checked} onClose={() => setChecked(undefined)} />}
    </Stack>
  );
}

function pageAfter(after: string | undefined) {
  return after === undefined ? {} : { query: { after } };
}

interface SectionProps<Row> {
  readonly title: string;
  readonly empty: string;
  readonly list: Asked<readonly Row[]>;
  /** For a list of several pages. */
  readonly pages?: ComponentProps<typeof ListPages> | undefined;
  readonly children: (row: Row) => ReactNode;
}

function Section<Row>({ title, empty, list, pages, children }: SectionProps<Row>) {
  return (
    <SectionCard title={title} padding="md" gap={0}>
      <Loaded what="The list" query={list} height={72}>
        {(rows) => (
          <>
            {rows.length === 0 && (pages === undefined || pages.total === 0) && <Text size="sm">{empty}</Text>}
            {rows.length > 0 && <ul className={ruled.list}>{rows.map(children)}</ul>}
            {pages !== undefined && <ListPages {...pages} />}
          </>
        )}
      </Loaded>
    </SectionCard>
  );
}

function PayoutLine({ payout }: { readonly payout: WaitingPayout }) {
  const { amount, currency, client, account, invoiceNumber, kind, preparedBy, preparedAt } = payout;
  return (
    <li>
      <div>
        <Text fw={600}>
          <Amount value={amount} currency={currency} /> to {client}
        </Text>
        <Text size="sm">{account}</Text>
        <Text size="sm" c="dimmed">
          {invoiceNumber}, {payoutKinds[kind].toLowerCase()}. Prepared by {preparedBy},{' '}
          {sayMoment(new Date(preparedAt), new Date())}
        </Text>
      </div>
      <Button component={Link} to={paths.deskCase(payout.applicationTag)} variant="default" size="sm">
        Open
      </Button>
    </li>
  );
}

function sayLate({ file, direction, state, isHeld }: OpenTransfer): string {
  if (direction === 'in') return 'This is late. The client cannot use Pay now until it ends.';
  if (file === null && state === 'released')
    return isHeld ? 'Stop it here. Then prepare it again.' : 'This is late: we could not send it yet. You can stop it.';
  if (file === null) return 'This is late. Ask the provider. Do not pay it another way.';
  if (file.batch === null) return 'This is late. Make a batch file, or cancel the payout.';
  return 'This is late. Import the statement or ask the bank. Do not pay it another way.';
}

interface TransferRowProps {
  readonly transfer: OpenTransfer;
}

function TransferRow({ transfer }: TransferRowProps) {
  const { client, direction, invoiceNumber, amount, currency, isLate, applicationTag } = transfer;
  const [dialog, setDialog] = useState<EndingStep>();
  return (
    <li>
      <div>
        <Text fw={600}>
          <Amount value={amount} currency={currency} /> {direction === 'out' ? 'to' : 'from'} {client}
        </Text>
        {direction === 'out' ? (
          <TransferLine transfer={transfer} currency={currency} invoiceNumber={invoiceNumber} />
        ) : (
          <RequestLine transfer={transfer} />
        )}
        {isLate && (
          <Text size="sm" c="var(--mantine-color-error)">
            {sayLate(transfer)}
          </Text>
        )}
        {transfer.ending !== null && <EndingNotice transfer={transfer} ending={transfer.ending} onAnswer={setDialog} />}
      </div>
      <Group gap="xs">
        {transfer.mayEnd && transfer.ending === null && (
          <Button variant="default" size="sm" onClick={() => setDialog('propose')}>
            {isUnsent(transfer) ? 'Stop this payout' : 'Say how it ended'}
          </Button>
        )}
        <Button component={Link} to={paths.deskCase(applicationTag)} variant="default" size="sm">
          Open
        </Button>
      </Group>
      {dialog !== undefined && <EndingDialog transfer={transfer} step={dialog} onClose={() => setDialog(undefined)} />}
    </li>
  );
}

/** A request to pay on a phone, whose provider is silent. */
function RequestLine({ transfer: { invoiceNumber, rail, to, releasedBy, said } }: TransferRowProps) {
  return (
    <div>
      <Text>
        {rail} does not say whether {to} paid. We keep asking.
      </Text>
      <Text size="sm">
        {invoiceNumber}, from {to}
        {releasedBy !== null && `. Asked by ${releasedBy}`}
      </Text>
      {said !== null && (
        <Text size="sm" c="dimmed">
          The provider says: {said}
        </Text>
      )}
    </div>
  );
}

interface AccountLineProps {
  readonly account: OfficerPayoutAccount;
  readonly onCheck: () => void;
}

function AccountLine({ account, onCheck }: AccountLineProps) {
  return (
    <li>
      <div>
        <b>{account.business}</b>
        <PayeeFacts payee={account} />
        {account.barred && (
          <Text size="sm">You added it, let in who did, or belong to this business. Another officer checks it.</Text>
        )}
      </div>
      <Button variant="default" size="sm" disabled={account.barred} onClick={onCheck}>
        Check
      </Button>
    </li>
  );
}
