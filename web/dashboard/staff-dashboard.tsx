import { Stack, Text, Title } from '@mantine/core';
import { ApplicationsTable } from '#web/applications/list/applications-table.tsx';
import { DeskTiles } from '#web/desk/queue/desk-tiles.tsx';
import { UsersSection } from '#web/people/users-section.tsx';
import { late } from '#web/ui/loading/late.tsx';
import { WaitingCounts } from './waiting-counts.tsx';

const BusinessForm = late(async () => (await import('#web/businesses/business-form.tsx')).BusinessForm);

/** The staff's dashboard: open work, All Applications with their owners, and Users (docs/specification-coverage.md, 2). */
export function StaffDashboard() {
  return (
    <Stack gap="xl">
      <Title order={1} mb="-md">
        Dashboard
      </Title>
      <Stack gap="sm">
        <DeskTiles />
        <WaitingCounts />
      </Stack>
      <Stack component="section" gap="sm" aria-labelledby="applications-heading">
        <ApplicationsTable
          label="All Applications"
          heading={
            <Title order={2} id="applications-heading">
              All Applications
            </Title>
          }
          businessTag=""
          whose="all"
          empty={<Text>No applications yet. They appear here as soon as a client enters an invoice.</Text>}
        />
      </Stack>
      <UsersSection NewBusiness={BusinessForm} />
    </Stack>
  );
}
