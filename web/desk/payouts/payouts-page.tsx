import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import type { OfficerPayoutAccount, PayoutBoard } from '#contract/payouts/schema.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { Loaded } from '#web/ui/loading/not-loaded.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import { SectionCard } from '#web/ui/text/section-card.tsx';
import { BatchesCard } from './batches-card.tsx';
import classes from './payout-board.module.css';
import { AccountRow, PayoutRow, TransferRow } from './payout-rows.tsx';
import { VerifyDialog } from './verify-dialog.tsx';

/** The board of payouts: what an officer can do now, what waits until when, and what is on its way. */
export function PayoutsPage() {
  const board = useCall(payoutEndpoints.payoutBoard, live);
  const [checked, setChecked] = useState<OfficerPayoutAccount>();
  return (
    <Stack gap="lg" data-wide-screen>
      <PageTitle title="Payouts" />
      <Title order={1}>Payouts</Title>
      <Loaded what="The board" query={board} height={320}>
        {({ now, waits, onItsWay, accounts }) => (
          <>
            <BoardGroup title="Now" empty="Nothing to pay or check now." order="the oldest first" group={now}>
              {[
                ...now.rows.map((row) => <PayoutRow key={row.applicationTag} row={row} onCheck={setChecked} />),
                ...accounts.map((account) => <AccountRow key={account.tag} account={account} onCheck={setChecked} />),
              ]}
            </BoardGroup>
            <BoardGroup title="Waits" empty="Nothing waits." order="the soonest first" group={waits}>
              {waits.rows.map((row) => (
                <PayoutRow key={row.applicationTag} row={row} onCheck={setChecked} />
              ))}
            </BoardGroup>
            <BoardGroup title="On its way" empty="Nothing is on its way." order="late ones first" group={onItsWay}>
              {onItsWay.rows.map((transfer) => (
                <TransferRow key={transfer.tag} transfer={transfer} />
              ))}
            </BoardGroup>
          </>
        )}
      </Loaded>
      <BatchesCard />
      {checked !== undefined && <VerifyDialog account={checked} onClose={() => setChecked(undefined)} />}
    </Stack>
  );
}

interface GroupProps {
  readonly title: string;
  readonly empty: string;
  readonly order: string;
  readonly group: Pick<PayoutBoard[keyof Omit<PayoutBoard, 'accounts'>], 'count' | 'totals'> & {
    readonly rows: readonly unknown[];
  };
  readonly children: readonly ReactNode[];
}

function BoardGroup({ title, empty, order, group: { rows, count, totals }, children }: GroupProps) {
  return (
    <SectionCard title={title} padding="md" gap="xs" mark={<Totals totals={totals} />}>
      {children.length === 0 ? <Text size="sm">{empty}</Text> : <ul className={classes.list}>{children}</ul>}
      {rows.length < count && (
        <Text size="sm">
          Showing {rows.length} of {count}, {order}.
        </Text>
      )}
    </SectionCard>
  );
}

/** The sums of a group by currency. */
function Totals({ totals }: Pick<PayoutBoard['now'], 'totals'>) {
  return (
    <Group gap="md">
      {totals.map(({ currency, amount }) => (
        <Text fw={600} key={currency}>
          <Amount value={amount} currency={currency} />
        </Text>
      ))}
    </Group>
  );
}
