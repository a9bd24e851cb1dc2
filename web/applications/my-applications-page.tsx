import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { isClient } from '#contract/permissions.ts';
import { ApplicationsTable } from '#web/applications/applications-table.tsx';
import { paths } from '#web/paths.ts';
import { useSessionUser } from '#web/platform/session.ts';
import { PageTitle } from '#web/ui/page-title.tsx';

/** My Applications (specification, section 2). */
export function MyApplicationsPage() {
  const user = useSessionUser();
  const client = user !== null && isClient(user);
  return (
    <Stack gap="lg">
      <PageTitle title="My Applications" />
      <Group justify="space-between">
        <Title order={1}>My Applications</Title>
        {client && (
          <Button component={Link} to={paths.startApplication}>
            New Application
          </Button>
        )}
      </Group>
      <ApplicationsTable
        label="My Applications"
        businessTag={user?.bizTag ?? ''}
        showOwner={!client}
        empty={<Text>You have no applications yet. Enter an invoice to turn it into cash.</Text>}
      />
    </Stack>
  );
}
