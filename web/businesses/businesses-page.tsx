import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconGauge, IconPencil, IconPlus } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { businessEndpoints } from '#contract/businesses/endpoints.ts';
import { type BusinessRow, businessKinds, businessSorts } from '#contract/businesses/schema.ts';
import { formatCount } from '#contract/counts.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useSessionUser } from '#web/platform/session/session.ts';
import { FormModal } from '#web/ui/forms/form-modal.tsx';
import { late, openLate } from '#web/ui/loading/late.tsx';
import { type Column, DataTable } from '#web/ui/tables/data-table.tsx';
import { ListTools, NothingFound } from '#web/ui/tables/list-tools.tsx';
import { RowIcon } from '#web/ui/tables/row-icon.tsx';
import { sortingOf, useListState } from '#web/ui/tables/url-state.ts';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import { StatusPill } from '#web/ui/text/status-pill.tsx';

const BusinessForm = late(async () => (await import('./business-form.tsx')).BusinessForm);

function kindOf({ isClient, isBuyer }: BusinessRow): string {
  if (isClient && isBuyer) return 'Client and buyer';
  return isClient ? 'Client' : 'Buyer';
}

const columns: readonly Column<BusinessRow>[] = [
  {
    key: 'name',
    header: 'Name',
    isName: true,
    shrinks: true,
    sort: { key: 'name', ascending: 'A to Z', descending: 'Z to A' },
    cell: (business) => business.name,
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

interface ActionProps {
  readonly business: BusinessRow;
  readonly onEdit: (business: BusinessRow) => void;
  readonly onLimits: (business: BusinessRow) => void;
}

/**
 * The actions open to the officer: nobody edits their own business (docs/decisions/0033), and a buyer has no limits.
 */
function useActions({ business, onEdit, onLimits }: ActionProps) {
  const isOwn = useSessionUser()?.bizTag === business.tag;
  const { name, isClient } = business;
  const edit = { word: 'Edit', label: `Edit ${name}`, icon: IconPencil, onClick: () => onEdit(business) };
  const limits = { word: 'Limits', label: `Limits of ${name}`, icon: IconGauge, onClick: () => onLimits(business) };
  return { edit: isOwn ? undefined : edit, limits: isClient ? limits : undefined };
}

/** Shown instead of the edit button. */
function OwnBusiness() {
  return (
    <Text size="sm" c="dimmed">
      Your own business
    </Text>
  );
}

function BusinessIcons(props: ActionProps) {
  const { edit, limits } = useActions(props);
  return (
    <Group gap="xxs" justify="flex-end" wrap="nowrap">
      {limits && <RowIcon label={limits.label} icon={limits.icon} onClick={limits.onClick} />}
      {edit ? <RowIcon label={edit.label} icon={edit.icon} onClick={edit.onClick} /> : <OwnBusiness />}
    </Group>
  );
}

/** The actions in words, for a narrow screen. */
function BusinessButtons(props: ActionProps) {
  const { edit, limits } = useActions(props);
  return (
    <>
      {edit === undefined && <OwnBusiness />}
      {[edit, limits].map(
        (action) =>
          action && (
            <Button key={action.word} size="sm" variant="default" aria-label={action.label} onClick={action.onClick}>
              {action.word}
            </Button>
          ),
      )}
    </>
  );
}

interface BusinessesPageProps {
  /** Shown above the list: the clients' matters that wait for an officer. */
  readonly notice: ReactNode;
  readonly onLimits: (business: BusinessRow) => void;
}

/** Businesses, for administrators and staff (docs/decisions/0041). Without this page nobody could be activated. */
export function BusinessesPage({ notice, onLimits }: BusinessesPageProps) {
  const [opened, dialog] = useDisclosure(false);
  // Kept while the dialog closes; its content unmounts with it, so that the next opening starts empty.
  const [chosen, setChosen] = useState<BusinessRow | undefined>();
  const open = (business?: BusinessRow): void =>
    openLate(BusinessForm, () => {
      setChosen(business);
      dialog.open();
    });
  return (
    <Stack gap="md">
      <PageTitle title="Businesses" />
      <Group justify="space-between">
        <Title order={1}>Businesses</Title>
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => open()}>
          Add Business
        </Button>
      </Group>
      {notice}
      <BusinessesTable onEdit={open} onLimits={onLimits} />
      <FormModal opened={opened} onClose={dialog.close} title={chosen === undefined ? 'Add Business' : 'Edit Business'}>
        <BusinessForm business={chosen} onClose={dialog.close} />
      </FormModal>
    </Stack>
  );
}

function BusinessesTable(actions: Omit<ActionProps, 'business'>) {
  const list = useListState('');
  const kind = businessKinds.find((name) => name === list.filter) ?? null;
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
        actions={{
          icons: (business) => <BusinessIcons business={business} {...actions} />,
          buttons: (business) => <BusinessButtons business={business} {...actions} />,
        }}
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
