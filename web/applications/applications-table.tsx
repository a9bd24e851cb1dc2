import { Anchor, Group, Select, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { statuses } from '#contract/applications/lifecycle.ts';
import type { InvoiceRow } from '#contract/invoices/schema.ts';
import { useApplications } from '#web/applications/applications-list.api.ts';
import { paths } from '#web/paths.ts';
import { Amount } from '#web/ui/amount.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { StatusPill } from '#web/ui/status-pill.tsx';
import { TableDate } from '#web/ui/table-date.tsx';
import { useListState } from '#web/ui/url-state.ts';

const number: Column<InvoiceRow> = {
  key: 'number',
  header: 'Invoice',
  onPhone: 'title',
  cell: (row) => (
    <Anchor component={Link} to={paths.application(row.tag)} fw={600}>
      {row.invoice_number}
    </Anchor>
  ),
};

const owner: Column<InvoiceRow> = { key: 'owner', header: 'Owner', cell: (row) => row.owner };

const columns: readonly Column<InvoiceRow>[] = [
  { key: 'buyer', header: 'Buyer', cell: (row) => row.buyer },
  {
    key: 'amount',
    header: 'Amount',
    numeric: true,
    cell: (row) => <Amount value={row.amount} currency={row.currency} />,
  },
  { key: 'applied', header: 'Applied for', numeric: true, cell: (row) => <Amount value={row.amount_applied_for} /> },
  { key: 'fees', header: 'Fees', numeric: true, onPhone: 'hidden', cell: (row) => <Amount value={row.fees_charged} /> },
  {
    key: 'received',
    header: 'To be received',
    numeric: true,
    onPhone: 'figure',
    cell: (row) => <Amount value={row.amount_received} currency={row.currency} />,
  },
  { key: 'status', header: 'Status', onPhone: 'status', cell: (row) => <StatusPill status={row.status} /> },
  { key: 'date', header: 'Date', cell: (row) => <TableDate date={row.application_date} /> },
];

interface ApplicationsTableProps {
  readonly label: string;
  readonly businessTag: string;
  readonly showOwner: boolean;
  /** What stands where there is no application at all. */
  readonly empty: React.ReactNode;
}

/** Applications with search, status and pages, all of them kept in the address. */
export function ApplicationsTable({ label, businessTag, showOwner, empty }: ApplicationsTableProps) {
  const list = useListState('applications');
  const status = statuses.find((name) => name === list.filter) ?? null;
  const query = useApplications({ page: list.page, searchPhrase: list.search, status, businessTag });
  const narrowed = list.search !== '' || status !== null;
  return (
    <Stack gap="sm">
      <Group gap="sm" grow preventGrowOverflow={false}>
        <SearchBox label="Search applications" value={list.search} onSearch={list.setSearch} />
        <Select
          aria-label="Status"
          placeholder="Every status"
          clearable
          data={[...statuses]}
          value={status}
          onChange={list.setFilter}
          clearButtonProps={{ 'aria-label': 'Show every status' }}
          maw={{ sm: 220 }}
        />
      </Group>
      <DataTable
        label={label}
        columns={showOwner ? [number, owner, ...columns] : [number, ...columns]}
        rows={query.data}
        rowKey={(row) => row.tag}
        total={query.data?.[0]?.total}
        page={list.page}
        onPage={list.setPage}
        failed={query.isError}
        onRetry={() => void query.refetch()}
        empty={narrowed ? <Text>No application matches. Search for something else, or show every status.</Text> : empty}
      />
    </Stack>
  );
}
