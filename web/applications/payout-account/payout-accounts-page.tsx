import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { accountStates } from '#contract/payouts/account.ts';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import type { OwnPayoutAccount } from '#contract/payouts/schema.ts';
import { kampalaDate, sayMoment } from '#contract/time/calendar.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { Loaded } from '#web/ui/loading/not-loaded.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import ruled from '#web/ui/text/ruled-list.module.css';
import { AddAccountDialog } from './add-account-dialog.tsx';
import { useFreezeAccount } from './payout-accounts.api.ts';

/** The payout accounts of the person's own business: listed, added, and frozen at once. */
export function PayoutAccountsPage() {
  const accounts = useCall(payoutEndpoints.ownPayoutAccounts);
  const [isAdding, setAdding] = useState(false);
  return (
    <Stack gap="lg">
      <PageTitle title="Payout Accounts" />
      <Group justify="space-between" gap="sm">
        <Title order={1}>Payout Accounts</Title>
        <Button onClick={() => setAdding(true)}>Add payout account</Button>
      </Group>
      <Card padding="md">
        <Loaded what="The accounts" query={accounts} height={80}>
          {(listed) =>
            listed.accounts.length === 0 ? (
              <Text>Tell us where to send your money. Add a payout account.</Text>
            ) : (
              <ul className={ruled.list}>
                {listed.accounts.map((account) => (
                  <Line key={account.tag} account={account} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      {isAdding && (
        <AddAccountDialog
          accounts={accounts.data?.accounts ?? []}
          waitHours={accounts.data?.waitHours}
          onClose={() => setAdding(false)}
        />
      )}
    </Stack>
  );
}

function Line({ account }: { readonly account: OwnPayoutAccount }) {
  const { tag, label, state, usableFrom, addedAt, addedBy } = account;
  const [asks, setAsks] = useState(false);
  const freezing = useFreezeAccount();
  const word = asks ? 'Freeze this account' : 'Freeze';
  const from =
    state === 'waiting' && usableFrom !== null ? `: from ${sayMoment(new Date(usableFrom), new Date())}` : '';
  return (
    <li>
      <div>
        <b>{label}</b>
        <Text size="sm" c="dimmed">
          {accountStates[state]}
          {from}
        </Text>
        <Text size="sm" c="dimmed">
          Added {formatFormDate(kampalaDate(new Date(addedAt)))} by {addedBy}
        </Text>
        {freezing.isError && <Alert color="red">{freezing.error.message}</Alert>}
      </div>
      {state !== 'frozen' && state !== 'replaced' && (
        <Button
          variant={asks ? 'filled' : 'default'}
          color={asks ? 'red' : undefined}
          size="sm"
          loading={freezing.isPending}
          aria-label={`${word}: ${label}`}
          onClick={() => (asks ? freezing.mutate(tag) : setAsks(true))}
        >
          {word}
        </Button>
      )}
    </li>
  );
}
