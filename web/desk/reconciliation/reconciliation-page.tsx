import { Group, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { statementEndpoints } from '#contract/statements/endpoints.ts';
import { layouts, type Rail, railCodes } from '#contract/statements/layouts.ts';
import type { ClosingBody } from '#contract/statements/schema.ts';
import { sayDate } from '#contract/time/calendar.ts';
import { AccountChoice } from '#web/desk/account-choice.tsx';
import { StatementList } from '#web/desk/statements/statement-list.tsx';
import { paths } from '#web/paths.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { navigate } from '#web/platform/router/history.ts';
import { useSearchParams } from '#web/platform/router/router.tsx';
import { Loaded } from '#web/ui/loading/not-loaded.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import { SectionCard } from '#web/ui/text/section-card.tsx';
import { DayCard } from './day-card.tsx';
import { DayStrip } from './day-strip.tsx';

const rails = railCodes.map((value) => ({ value, label: layouts[value].name }));

type AccountDay = Pick<ClosingBody, 'rail' | 'currency'> & { readonly day?: string };

/** Statement against journal: the state of an account's days, and one of them with its differences. */
export function ReconciliationPage() {
  const [params] = useSearchParams();
  const day = params.get('day') ?? undefined;
  const asked: AccountDay = {
    rail: railCodes.find((code) => code === params.get('account')) ?? 'mtn',
    currency: params.get('currency') ?? 'UGX',
    ...(day === undefined ? {} : { day }),
  };
  const account = `${asked.rail} ${asked.currency} ${day ?? ''}`;
  const [turned, setTurned] = useState({ account, page: 1 });
  const page = turned.account === account ? turned.page : 1;
  const reconciliation = useCall(statementEndpoints.reconciliation, {
    query: { ...asked, page: String(page) },
    ...live,
  });
  return (
    <Stack gap="lg">
      <PageTitle title="Reconciliation" />
      <Title order={1}>Reconciliation</Title>
      <Accounts {...asked} />
      <Loaded what="The day" query={reconciliation} height={200}>
        {(data) => (
          <>
            <DayStrip shown={data} />
            <DayCard
              key={`${data.rail} ${data.currency} ${data.day}`}
              shown={data}
              page={page}
              onPage={(next) => setTurned({ account, page: next })}
            />
            {data.statements.length > 0 && (
              <SectionCard title={`Statements of ${sayDate(data.day)}`} padding="md" gap={0}>
                <StatementList statements={data.statements} />
              </SectionCard>
            )}
          </>
        )}
      </Loaded>
    </Stack>
  );
}

function Accounts({ rail, currency }: AccountDay) {
  const open = (next: Rail, code: string): void => void navigate(paths.reconciliationOf(next, code));
  return (
    <Group align="end" gap="sm">
      <AccountChoice accounts={rails} account={rail} currency={currency} width={230} onChange={open} />
    </Group>
  );
}
