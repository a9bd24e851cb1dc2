import { Stack, Title } from '@mantine/core';
import { accountCodes } from '#contract/journal/accounts.ts';
import { may } from '#contract/permissions.ts';
import { useSearchParams } from '#web/platform/router/router.tsx';
import { useSessionUser } from '#web/platform/session/session.ts';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import { AccountStatement } from './account-statement.tsx';
import { ApplicationEntries } from './application-entries.tsx';
import { TrialBalanceCard } from './trial-balance-card.tsx';

/** The journal of the application or account named in the address; otherwise the trial balance, for administrators. */
export function JournalPage() {
  const user = useSessionUser();
  const [params] = useSearchParams();
  if (user === null) return null;
  const application = params.get('application');
  const asked = accountCodes.find((code) => code === params.get('account'));
  const account = asked ?? (may(user, 'journal.trialBalance') ? undefined : 'advances');
  return (
    <Stack gap="lg">
      <PageTitle title="Journal" />
      <Title order={1}>Journal</Title>
      {application !== null && <ApplicationEntries tag={application} />}
      {application === null && account !== undefined && (
        <AccountStatement
          account={account}
          currency={params.get('currency') ?? 'UGX'}
          before={params.get('before') ?? undefined}
        />
      )}
      {application === null && account === undefined && <TrialBalanceCard />}
    </Stack>
  );
}
