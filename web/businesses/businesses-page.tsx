import { ActionIcon, Badge, Button, Group, Select, Stack, Text, Title, Tooltip } from '@mantine/core';
import { IconPencil, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type BusinessRow, businessKinds } from '#contract/businesses/schema.ts';
import { BusinessModal } from '#web/businesses/business-modal.tsx';
import { useBusinesses } from '#web/businesses/businesses.api.ts';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { useListState } from '#web/ui/url-state.ts';

const kindNames = { client: 'Client', buyer: 'Buyer' } as const;

function Kinds({ business }: { readonly business: BusinessRow }) {
  return (
    <Group gap={4} wrap="nowrap">
      {business.isClient && <Badge variant="light">{kindNames.client}</Badge>}
      {business.isBuyer && (
        <Badge variant="light" color="gray">
          {kindNames.buyer}
        </Badge>
      )}
      {!business.active && (
        <Badge variant="outline" color="gray">
          Inactive
        </Badge>
      )}
    </Group>
  );
}

const columns: readonly Column<BusinessRow>[] = [
  { key: 'name', header: 'Name', onPhone: 'title', cell: (business) => <Text fw={600}>{business.name}</Text> },
  { key: 'kind', header: 'Kind', onPhone: 'status', cell: (business) => <Kinds business={business} /> },
  { key: 'sector', header: 'Sector', cell: (business) => business.sector },
  { key: 'district', header: 'District', cell: (business) => business.district },
  { key: 'people', header: 'People', numeric: true, cell: (business) => business.people },
  { key: 'applications', header: 'Applications', numeric: true, cell: (business) => business.applications },
];

/** Businesses, for administrators and staff (decisions, 'Businesses'): without it nobody could be activated. */
export function BusinessesPage() {
  const list = useListState('');
  const [opened, setOpened] = useState<{ readonly business: BusinessRow | undefined } | null>(null);
  const kind = businessKinds.find((name) => name === list.filter) ?? null;
  const query = useBusinesses({ page: list.page, searchPhrase: list.search, kind });
  const edit: Column<BusinessRow> = {
    key: 'edit',
    header: 'Actions',
    onPhone: 'action',
    cell: (business) => (
      <Tooltip label={`Edit ${business.name}`} withArrow>
        <ActionIcon
          variant="subtle"
          size={44}
          aria-label={`Edit ${business.name}`}
          onClick={() => setOpened({ business })}
        >
          <IconPencil size={20} aria-hidden />
        </ActionIcon>
      </Tooltip>
    ),
  };
  return (
    <Stack gap="lg">
      <PageTitle title="Businesses" />
      <Group justify="space-between">
        <Title order={1}>Businesses</Title>
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpened({ business: undefined })}>
          Add Business
        </Button>
      </Group>
      <Group gap="sm" grow preventGrowOverflow={false}>
        <SearchBox label="Search businesses" value={list.search} onSearch={list.setSearch} />
        <Select
          aria-label="Kind"
          placeholder="Clients and buyers"
          clearable
          data={businessKinds.map((value) => ({ value, label: `${kindNames[value]}s` }))}
          value={kind}
          onChange={list.setFilter}
          clearButtonProps={{ 'aria-label': 'Show every kind' }}
          maw={{ sm: 220 }}
        />
      </Group>
      <DataTable
        label="Businesses"
        columns={[...columns, edit]}
        rows={query.data}
        rowKey={(business) => business.tag}
        total={query.data?.[0]?.total}
        page={list.page}
        onPage={list.setPage}
        failed={query.isError}
        onRetry={() => void query.refetch()}
        empty={<Text>No business matches. Search for another name, or add one.</Text>}
      />
      {opened !== null && <BusinessModal business={opened.business} onClose={() => setOpened(null)} />}
    </Stack>
  );
}
