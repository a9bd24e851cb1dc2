import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { isClient, may } from '#contract/permissions.ts';
import { paths } from '#web/paths.ts';
import { Link, Navigate } from '#web/platform/router/router.tsx';
import { useSessionUser } from '#web/platform/session/session.ts';
import phone from '#web/ui/layout/phone.module.css';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import { ApplicationsTable } from './applications-table.tsx';

/** My Applications (docs/specification-coverage.md, 2); for staff, All Applications. */
export function MyApplicationsPage() {
  const user = useSessionUser();
  if (user === null) return null;
  // A person who waits for activation is told so on the dashboard.
  if (!may(user, 'invoices.view')) return <Navigate to={paths.home} replace />;
  const client = isClient(user);
  const title = client ? 'My Applications' : 'All Applications';
  return (
    <Stack gap="md">
      <PageTitle title={title} />
      <Group justify="space-between">
        <Title order={1}>{title}</Title>
        {client && (
          <Button
            component={Link}
            to={paths.startApplication}
            className={phone.wide}
            leftSection={<IconPlus size={18} aria-hidden />}
          >
            New Application
          </Button>
        )}
      </Group>
      <ApplicationsTable
        label={title}
        businessTag={client ? (user.bizTag ?? '') : ''}
        whose={client ? 'own' : 'all'}
        empty={
          <Text>
            {client
              ? 'You have no applications yet. Enter your first invoice with New Application.'
              : 'No applications yet. They appear here as soon as a client enters an invoice.'}
          </Text>
        }
      />
    </Stack>
  );
}
