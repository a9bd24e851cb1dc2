import { Stack, Text, Title } from '@mantine/core';
import { ApplicationsTable } from '#web/applications/applications-table.tsx';
import { DeskTiles } from '#web/desk/desk-tiles.tsx';
import { PromiseFigures } from '#web/figures/promise-figures.tsx';
import { StaffFigures } from '#web/figures/staff-figures.tsx';
import { UsersSection } from '#web/people/users-section.tsx';

/** The staff's dashboard: what waits, All Applications with their owners, Users (specification, section 2), and the figures. */
export function StaffDashboard() {
  return (
    <Stack gap="xl">
      <Title order={1} mb={-16}>
        Dashboard
      </Title>
      <DeskTiles />
      <Stack component="section" gap="sm" aria-labelledby="applications-heading">
        <ApplicationsTable
          label="All Applications"
          heading={
            <Title order={2} id="applications-heading">
              All Applications
            </Title>
          }
          businessTag=""
          showOwner
          empty={<Text>No applications yet. They appear here as soon as a client enters an invoice.</Text>}
        />
      </Stack>
      <UsersSection />
      <PromiseFigures />
      <StaffFigures />
    </Stack>
  );
}
