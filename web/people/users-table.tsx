import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type PersonRow, personSorts, personStatuses } from '#contract/people/schema.ts';
import { roleNames } from '#contract/permissions.ts';
import { TableDate } from '#web/ui/dates/table-date.tsx';
import { type Column, DataTable } from '#web/ui/tables/data-table.tsx';
import { ListTools, NothingFound } from '#web/ui/tables/list-tools.tsx';
import { sortingOf, useListState } from '#web/ui/tables/url-state.ts';
import { BusinessLink } from '#web/ui/text/business-link.tsx';
import { fullName } from '#web/ui/text/person-name.ts';
import { StatusPill } from '#web/ui/text/status-pill.tsx';
import { usePersons } from './people.api.ts';
import { type PersonAction, PersonActionButtons, PersonActionIcons } from './person-actions.tsx';

function rolesOf(person: PersonRow): string | null {
  return person.perms.length === 0 ? null : person.perms.map((code) => roleNames[code]).join(', ');
}

/** The person's business; for one who waits for activation, the business that they named. */
function businessOf(person: PersonRow) {
  if (person.business !== null) return <BusinessLink tag={person.business_tag}>{person.business}</BusinessLink>;
  if (person.stated === null) return null;
  return (
    <Text span inherit c="dimmed">
      {person.stated.business} (they say)
    </Text>
  );
}

const columns: readonly Column<PersonRow>[] = [
  {
    key: 'name',
    header: 'Name',
    isName: true,
    shrinks: true,
    cell: (person) =>
      fullName(person) || (
        <Text span inherit fw={400} c="dimmed">
          No name yet
        </Text>
      ),
  },
  { key: 'username', header: 'Phone or email', shrinks: true, cell: (person) => person.username },
  { key: 'business', header: 'Business', shrinks: true, cell: businessOf },
  { key: 'district', header: 'District', shrinks: true, cell: (person) => person.district },
  { key: 'roles', header: 'Role', shrinks: true, cell: rolesOf },
  { key: 'status', header: 'Status', isBadge: true, cell: (person) => <StatusPill status={person.status} /> },
  {
    key: 'joined',
    header: 'Joined',
    sort: { key: 'joined', ascending: 'oldest first', descending: 'newest first' },
    cell: (person) => <TableDate date={person.created_at} />,
  },
];

interface UsersTableProps {
  readonly heading: ReactNode;
  readonly onAction: (action: PersonAction, person: PersonRow) => void;
}

/**
 * The Users table (docs/specification-coverage.md, 2). Those who wait for activation come first unless the table is
 * sorted.
 */
export function UsersTable({ heading, onAction }: UsersTableProps) {
  const list = useListState('people');
  const status = personStatuses.find((name) => name === list.filter) ?? null;
  const sorting = sortingOf(list, personSorts, null);
  const query = usePersons({ page: list.page, searchPhrase: list.search, status, sort: sorting.by });
  const narrowed = list.search !== '' || status !== null;
  return (
    <>
      <ListTools
        heading={heading}
        state={list}
        searchLabel="Search users"
        filterLabel="Status of users"
        everything="Every status"
        options={personStatuses}
        filter={status}
      />
      <DataTable
        label="Users"
        query={query}
        columns={columns}
        actions={{
          icons: (person) => <PersonActionIcons person={person} onAction={onAction} />,
          buttons: (person) => <PersonActionButtons person={person} onAction={onAction} />,
        }}
        rowKey={(person) => person.tag}
        sorting={sorting}
        list={list}
        empty={narrowed ? <NothingFound state={list}>No Users</NothingFound> : <Text>No Users</Text>}
      />
    </>
  );
}
