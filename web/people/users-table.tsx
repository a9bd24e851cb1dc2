import { ActionIcon, Group, Select, Stack, Text, Tooltip } from '@mantine/core';
import { IconShieldCog, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { type PersonRow, personStatuses } from '#contract/people/schema.ts';
import { mayOnPerson, roleNames } from '#contract/permissions.ts';
import { usePersons } from '#web/people/people.api.ts';
import { useSessionUser } from '#web/platform/session.ts';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { StatusPill } from '#web/ui/status-pill.tsx';
import { TableDate } from '#web/ui/table-date.tsx';
import { useListState } from '#web/ui/url-state.ts';

/** A person's name as staff know it, else what they log in with. */
export function nameOf(person: PersonRow): string {
  const name = [person.first_name, person.last_name].filter((part) => part !== null && part !== 'N/A').join(' ');
  return name === '' ? person.username : name;
}

const columns: readonly Column<PersonRow>[] = [
  { key: 'name', header: 'Name', onPhone: 'title', cell: nameOf },
  { key: 'username', header: 'Phone or email', cell: (person) => person.username },
  { key: 'business', header: 'Business', cell: (person) => person.business ?? '-' },
  { key: 'district', header: 'District', cell: (person) => person.district ?? '-' },
  {
    key: 'roles',
    header: 'Role',
    cell: (person) => (person.perms.length === 0 ? '-' : person.perms.map((code) => roleNames[code]).join(', ')),
  },
  { key: 'status', header: 'Status', onPhone: 'status', cell: (person) => <StatusPill status={person.status} /> },
  { key: 'joined', header: 'Joined', cell: (person) => <TableDate date={person.created_at} /> },
];

export type PersonAction = 'activate' | 'deactivate' | 'roles';

interface UsersTableProps {
  readonly onAction: (action: PersonAction, person: PersonRow) => void;
}

/** The Users table (specification, section 2): Activate opens Update Person, Deactivate asks first. */
export function UsersTable({ onAction }: UsersTableProps) {
  const list = useListState('people');
  const status = personStatuses.find((name) => name === list.filter) ?? null;
  const query = usePersons({ page: list.page, searchPhrase: list.search, status });
  const actions: Column<PersonRow> = {
    key: 'actions',
    header: 'Actions',
    onPhone: 'action',
    cell: (person) => <PersonActions person={person} onAction={onAction} />,
  };
  return (
    <Stack gap="sm">
      <Group gap="sm" grow preventGrowOverflow={false}>
        <SearchBox label="Search users" value={list.search} onSearch={list.setSearch} />
        <Select
          aria-label="Status of users"
          placeholder="Every status"
          clearable
          data={[...personStatuses]}
          value={status}
          onChange={list.setFilter}
          clearButtonProps={{ 'aria-label': 'Show every status' }}
          maw={{ sm: 220 }}
        />
      </Group>
      <DataTable
        label="Users"
        columns={[...columns, actions]}
        rows={query.data}
        rowKey={(person) => person.tag}
        total={query.data?.[0]?.total}
        page={list.page}
        onPage={list.setPage}
        failed={query.isError}
        onRetry={() => void query.refetch()}
        empty={<Text>No Users</Text>}
      />
    </Stack>
  );
}

function PersonActions({ person, onAction }: UsersTableProps & { readonly person: PersonRow }) {
  const actor = useSessionUser();
  if (actor === null) return null;
  const name = nameOf(person);
  const pending = person.status === 'Pending';
  const offered = [
    {
      action: 'deactivate' as const,
      label: `Deactivate ${name}`,
      icon: <IconUserOff size={20} aria-hidden />,
      color: 'red',
      possible: !pending && person.status !== 'Deactivated' && mayOnPerson(actor, 'people.deactivate', person),
    },
    {
      action: 'activate' as const,
      label: `${person.status === 'Active' ? 'Update' : 'Activate'} ${name}`,
      icon: <IconUserCheck size={20} aria-hidden />,
      color: undefined,
      possible: !pending && mayOnPerson(actor, 'people.update', person),
    },
    {
      action: 'roles' as const,
      label: `Roles of ${name}`,
      icon: <IconShieldCog size={20} aria-hidden />,
      color: 'gray',
      possible: !pending && person.status !== 'Deactivated' && mayOnPerson(actor, 'people.setRoles', person),
    },
  ];
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {offered
        .filter(({ possible }) => possible)
        .map(({ action, label, icon, color }) => (
          <Tooltip key={action} label={label} withArrow>
            <ActionIcon
              variant="subtle"
              size={44}
              aria-label={label}
              {...(color === undefined ? {} : { color })}
              onClick={() => onAction(action, person)}
            >
              {icon}
            </ActionIcon>
          </Tooltip>
        ))}
    </Group>
  );
}
