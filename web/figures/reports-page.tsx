import { Stack, Title } from '@mantine/core';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import { BookFigures } from './book-figures.tsx';
import { CollectedFigures, FeeFigures } from './income-figures.tsx';
import { SlaFigures } from './sla-figures.tsx';
import { StaffFigures } from './staff-figures.tsx';

/** The staff's figures over time, money first. */
export function ReportsPage() {
  return (
    <Stack gap="xl">
      <PageTitle title="Reports" />
      <Title order={1}>Reports</Title>
      <BookFigures />
      <CollectedFigures />
      <FeeFigures />
      <SlaFigures />
      <StaffFigures />
    </Stack>
  );
}
