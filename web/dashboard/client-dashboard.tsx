import { Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { AttentionReply } from '#contract/applications/attention.ts';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { divideMatters } from '#contract/applications/home.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { limitEndpoints } from '#contract/limits/endpoints.ts';
import { useApplications } from '#web/applications/list/applications-list.api.ts';
import { ApplicationsTable } from '#web/applications/list/applications-table.tsx';
import { firstPage } from '#web/applications/list/asked.ts';
import { PayNowPlace } from '#web/applications/requests-to-pay/pay-now-place.tsx';
import { FundingLimits } from '#web/applications/terms/funding-limit.tsx';
import { paths } from '#web/paths.ts';
import { keptForNextVisit } from '#web/platform/api/last-visit.ts';
import { liveForClient } from '#web/platform/api/query-client.ts';
import { invalidate, useCall } from '#web/platform/api/use-call.ts';
import { Link } from '#web/platform/router/router.tsx';
import phone from '#web/ui/layout/phone.module.css';
import { late } from '#web/ui/loading/late.tsx';
import { Later } from '#web/ui/loading/later.tsx';
import classes from './home.module.css';
import { ForYouToDo, OnItsWayRows } from './matter-rows.tsx';
import { Owed, Usable, urgencyOf } from './owed.tsx';
import { usePrefetchApplications } from './prefetch-applications.ts';

/** Below what people open the screen for. */
const ClientFigures = late(async () => (await import('#web/figures/client-figures.tsx')).ClientFigures, {
  meanwhile: null,
});

/** A client's home: what they owe and can use, what is to do and on its way, Apply Now, My Applications. */
export function ClientDashboard({ businessTag }: { readonly businessTag: string }) {
  const list = useApplications(firstPage(businessTag));
  const attention = useCall(applicationEndpoints.attention, { ...liveForClient, ...keptForNextVisit });
  // The height of the first part is unknown, so everything below waits for it instead of moving. On a dead connection it
  // doesn't wait.
  const isAwaited = attention.isLoading && attention.failureCount === 0;
  usePrefetchApplications(isAwaited ? undefined : list.data);
  useListWith(attention.isFetchedAfterMount ? attention.data : undefined);
  return (
    <Stack gap="lg">
      <Title order={1}>Dashboard</Title>
      {isAwaited ? (
        <Skeleton height={640} />
      ) : (
        <>
          {attention.data !== undefined && <Home home={attention.data} />}
          <ApplyNow home={attention.data} />
          <Stack component="section" gap="sm" aria-labelledby="applications-heading">
            <ApplicationsTable
              label="My Applications"
              heading={
                <Title order={2} id="applications-heading">
                  My Applications
                </Title>
              }
              businessTag={businessTag}
              whose="own"
              empty={<Text>You have no applications yet. Press Apply Now to enter your first invoice.</Text>}
            />
          </Stack>
          <Later>
            <FundingLimits />
            <ClientFigures />
          </Later>
        </>
      )}
    </Stack>
  );
}

/** Reloads the list and the limit when a reply of the first part differs from the one before. */
function useListWith(home: AttentionReply | undefined): void {
  const client = useQueryClient();
  const before = useRef(home);
  useEffect(() => {
    const isFirst = before.current === undefined;
    before.current = home;
    if (!isFirst) void invalidate(client, [invoiceEndpoints.listInvoices, limitEndpoints.ownLimits]);
  }, [client, home]);
}

function Home({ home }: { readonly home: AttentionReply }) {
  const { balances, more } = home;
  const [chosen, choose] = useState<string>();
  const balance = balances.find(({ currency }) => currency === chosen) ?? balances[0];
  const { toDo, onItsWay } = divideMatters(home);
  return (
    <PayNowPlace>
      <div className={classes.home}>
        <Owed balance={balance} currencies={balances.map(({ currency }) => currency)} onCurrency={choose} />
        <Usable balance={balance} isBlocked={home.blocked !== null} />
        <ForYouToDo toDo={toDo} more={more.toDo} />
        <OnItsWayRows onItsWay={onItsWay} more={more.onItsWay} />
      </div>
    </PayNowPlace>
  );
}

/**
 * The card (docs/specification-coverage.md, 2), or what keeps the client from applying. The button is quiet while
 * something has to be paid.
 */
function ApplyNow({ home }: { readonly home: AttentionReply | undefined }) {
  if (home?.blocked != null)
    return (
      <Card component="section" aria-labelledby="blocked-heading" padding="md">
        <Title order={2} id="blocked-heading" mb="xxs">
          You can’t apply now
        </Title>
        <Text>{home.blocked}.</Text>
      </Card>
    );
  const mustPay = home?.balances.some(({ due }) => due !== null && urgencyOf(due) !== undefined);
  return (
    <Card padding="md">
      <Group justify="space-between" gap="md">
        <Stack gap="xxs">
          <Title order={2}>Turn an invoice into cash</Title>
          <Text c="dimmed">Enter an invoice, see the fee and what you receive, and submit in minutes.</Text>
        </Stack>
        <Button
          component={Link}
          to={paths.apply}
          variant={mustPay ? 'default' : 'filled'}
          className={phone.wide}
          rightSection={<IconArrowRight size={20} aria-hidden />}
        >
          Apply Now
        </Button>
      </Group>
    </Card>
  );
}
