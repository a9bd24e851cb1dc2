import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { businessEndpoints } from '#contract/businesses/endpoints.ts';
import { type BusinessRow, businessSorts } from '#contract/businesses/schema.ts';
import { formatCount } from '#contract/counts.ts';
import { BuyerRequests } from '#web/businesses/buyer-requests/buyer-requests.tsx';
import { EarnedRaises } from '#web/businesses/limits/earned-raises.tsx';
import { LimitProposals } from '#web/businesses/limits/limit-proposals.tsx';
import { useCall } from '#web/platform/api/use-call.ts';
import { FormModal } from '#web/ui/forms/form-modal.tsx';
import { late, openLate } from '#web/ui/loading/late.tsx';
import { type Column, DataTable } from '#web/ui/tables/data-table.tsx';
import { ListTools, NothingFound } from '#web/ui/tables/list-tools.tsx';
import { sortingOf, useListState } from '#web/ui/tables/url-state.ts';
import { BusinessLink } from '#web/ui/text/business-link.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import { StatusPill } from '#web/ui/text/status-pill.tsx';
import { kindOf } from './kinds.ts';

const BusinessForm = late(async () => (await import('./business-form.tsx')).BusinessForm);

const columns: readonly Column<BusinessRow>[] = [
  {
    key: 'name',
    header: 'Name',
    isName: true,
    shrinks: true,
    sort: { key: 'name', ascending: 'A to Z', descending: 'Z to A' },
    cell: ({ tag, name }) => <BusinessLink tag={tag}>{name}</BusinessLink>,
  },
  { key: 'kind', header: 'Kind', cell: kindOf },
  { key: 'sector', header: 'Sector', shrinks: true, cell: (business) => business.sector },
  { key: 'district', header: 'District', shrinks: true, cell: (business) => business.district },
  { key: 'people', header: 'People', isNumeric: true, cell: (business) => formatCount(business.people) },
  {
    key: 'applications',
    header: 'Applications',
    isNumeric: true,
    sort: { key: 'applications', ascending: 'fewest first', descending: 'most first' },
    cell: (business) => formatCount(business.applications),
  },
  {
    key: 'status',
    header: 'Status',
    isBadge: true,
    cell: ({ active }) => <StatusPill status={active ? 'Active' : 'Inactive'} />,
  },
];

const filters = [
  { value: 'client', label: 'Clients' },
  { value: 'buyer', label: 'Buyers' },
] as const;

/** Businesses, for administrators and staff (docs/decisions/0041). Without this page nobody could be activated. */
export function BusinessesPage() {
  const [opened, dialog] = useDisclosure(false);
  return (
    <Stack gap="md">
      <PageTitle title="Businesses" />
      <Group justify="space-between">
        <Title order={1}>Businesses</Title>
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => openLate(BusinessForm, dialog.open)}>
          Add Business
        </Button>
      </Group>
      <BuyerRequests />
      <LimitProposals />
      <EarnedRaises />
      <BusinessesTable />
      <FormModal opened={opened} onClose={dialog.close} title="Add Business">
        <BusinessForm onClose={dialog.close} />
      </FormModal>
    </Stack>
  );
}

function BusinessesTable() {
  const list = useListState('');
  const kind = filters.find(({ value }) => value === list.filter)?.value ?? null;
  const sorting = sortingOf(list, businessSorts, 'name');
  const query = useCall(businessEndpoints.listBusinesses, {
    body: { page: list.page, searchPhrase: list.search, kind: kind ?? '', sort: sorting.by ?? '' },
    placeholderData: keepPreviousData,
  });
  const narrowed = list.search !== '' || kind !== null;
  return (
    <>
      <ListTools
        state={list}
        searchLabel="Search businesses"
        filterLabel="Kind of business"
        everything="Every kind"
        options={filters}
        filter={kind}
        hidden={query.data?.length === 0 && !narrowed && list.page === 1}
      />
      <DataTable
        label="Businesses"
        query={query}
        columns={columns}
        rowKey={(business) => business.tag}
        sorting={sorting}
        list={list}
        empty={
          narrowed ? (
            <NothingFound state={list}>No business matches.</NothingFound>
          ) : (
            <Text>No businesses yet. Add the first one: people are activated with a business.</Text>
          )
        }
      />
    </>
  );
}
