import { Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import type { MatterKind } from '#contract/applications/attention.ts';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { useApplications } from '#web/applications/list/applications-list.api.ts';
import { ApplicationsTable } from '#web/applications/list/applications-table.tsx';
import { firstPage } from '#web/applications/list/asked.ts';
import { PayNowPlace } from '#web/applications/requests-to-pay/pay-now-place.tsx';
import { FundingLimits } from '#web/applications/terms/funding-limit.tsx';
import { paths } from '#web/paths.ts';
import { keptForNextVisit } from '#web/platform/api/last-visit.ts';
import { liveForClient } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { Link } from '#web/platform/router/router.tsx';
import phone from '#web/ui/layout/phone.module.css';
import { late } from '#web/ui/loading/late.tsx';
import { Later } from '#web/ui/loading/later.tsx';
import { usePrefetchApplications } from './prefetch-applications.ts';
import { WhatMattersNow } from './what-matters-now.tsx';

/** Below the matters for which people open the screen. */
const OwnMoney = late(async () => (await import('./own-money.tsx')).OwnMoney, { meanwhile: null });

/** Matters that wait for the client or concern their money: they come before a new application. */
const WAITING: readonly MatterKind[] = ['overdue', 'asked', 'approved'];

/** A client's dashboard: what matters now, Apply Now, My Applications, and the money. */
export function ClientDashboard({ businessTag }: { readonly businessTag: string }) {
  const list = useApplications(firstPage(businessTag));
  const attention = useCall(applicationEndpoints.attention, { ...liveForClient, ...keptForNextVisit });
  // The height of the matters is unknown, so everything below waits for them instead of moving. On a dead connection it
  // doesn't wait.
  const isAwaited = attention.isLoading && attention.failureCount === 0;
  usePrefetchApplications(isAwaited ? undefined : list.data);
  const { matters, more, payTo } = attention.data ?? { matters: [], more: 0, payTo: {} };
  const isSomethingWaiting = matters.some(({ kind }) => WAITING.includes(kind));
  return (
    <Stack gap="xl">
      <Stack gap="sm">
        <Title order={1}>Dashboard</Title>
        <PayNowPlace>
          <WhatMattersNow matters={matters} more={more} payTo={payTo} />
        </PayNowPlace>
      </Stack>
      {isAwaited ? (
        <Skeleton height={480} />
      ) : (
        <>
          <ApplyNow isQuiet={isSomethingWaiting} />
          <Stack component="section" gap="sm" aria-labelledby="applications-heading">
            <ApplicationsTable
              label="My Applications"
              heading={
                <Title order={2} id="applications-heading">
                  My Applications
                </Title>
              }
              businessTag={businessTag}
              showOwner={false}
              empty={<Text>You have no applications yet. Press Apply Now to enter your first invoice.</Text>}
            />
          </Stack>
          <Later>
            <FundingLimits />
            <OwnMoney />
          </Later>
        </>
      )}
    </Stack>
  );
}

/** The card (docs/specification-coverage.md, 2); `isQuiet` while something else is more important. */
function ApplyNow({ isQuiet }: { readonly isQuiet: boolean }) {
  return (
    <Card padding="lg">
      <Group justify="space-between" gap="md">
        <Stack gap={4}>
          <Title order={2} size="h3">
            Turn an invoice into cash
          </Title>
          <Text c="dimmed">Enter an invoice, see the fee and what you receive, and submit in minutes.</Text>
        </Stack>
        <Button
          component={Link}
          to={paths.apply}
          size="lg"
          variant={isQuiet ? 'default' : 'filled'}
          className={phone.wide}
          rightSection={<IconArrowRight size={20} aria-hidden />}
        >
          Apply Now
        </Button>
      </Group>
    </Card>
  );
}
