import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useApplications } from '#web/applications/applications-list.api.ts';
import { ApplicationsTable } from '#web/applications/applications-table.tsx';
import { FundingLimits } from '#web/applications/funding-limit.tsx';
import { useApplicationsAhead } from '#web/dashboard/applications-ahead.ts';
import { firstPage } from '#web/dashboard/first-page.ts';
import { WhatMattersNow } from '#web/dashboard/what-matters-now.tsx';
import { ClientFigures } from '#web/figures/client-figures.tsx';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router.tsx';
import { Later } from '#web/ui/later.tsx';

/** A client's dashboard: what matters now, Apply Now, the only filled button, My Applications, and the money. */
export function ClientDashboard({ businessTag }: { readonly businessTag: string }) {
  useApplicationsAhead(useApplications(firstPage(businessTag)).data);
  return (
    <Stack gap="xl">
      <Stack gap={4}>
        <Title order={1}>Dashboard</Title>
        <WhatMattersNow businessTag={businessTag} />
      </Stack>
      <Card padding="lg">
        <Group justify="space-between" gap="md">
          <Stack gap={4}>
            <Title order={2} size="h3">
              Turn an invoice into cash
            </Title>
            <Text c="dimmed">Enter an invoice, see the fee and what you will receive, and submit in minutes.</Text>
          </Stack>
          <Button
            component={Link}
            to={paths.apply}
            size="lg"
            w={{ base: '100%', xs: 'auto' }}
            rightSection={<IconArrowRight size={20} aria-hidden />}
          >
            Apply Now
          </Button>
        </Group>
      </Card>
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
        <ClientFigures />
      </Later>
    </Stack>
  );
}
