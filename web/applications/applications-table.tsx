import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { statuses } from '#contract/applications/lifecycle.ts';
import type { InvoiceRow } from '#contract/invoices/schema.ts';
import { invoiceSorts } from '#contract/invoices/sorts.ts';
import { useApplications } from '#web/applications/applications-list.api.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { ListCard } from '#web/ui/list-card.tsx';
import { ListTools, NothingFound } from '#web/ui/list-tools.tsx';
import { StatusPill } from '#web/ui/status-pill.tsx';
import { TableDate } from '#web/ui/table-date.tsx';
import { sortingOf, useListState } from '#web/ui/url-state.ts';

function NumberLink({ row }: { readonly row: InvoiceRow }) {
  return (
    <Anchor component={Link} to={paths.application(row.tag)} title={row.invoice_number} inherit>
      {row.invoice_number}
    </Anchor>
  );
}

const number: Column<InvoiceRow> = {
  key: 'number',
  header: 'Invoice',
  isName: true,
  cell: (row) => <NumberLink row={row} />,
};

const owner: Column<InvoiceRow> = { key: 'owner', header: 'Owner', shrinks: true, cell: (row) => row.owner };

const bySize = { ascending: 'smallest first', descending: 'largest first' } as const;

/** The currency stands once in a row, before the first amount. */
const columns: readonly Column<InvoiceRow>[] = [
  { key: 'buyer', header: 'Buyer', shrinks: true, cell: (row) => row.buyer },
  {
    key: 'amount',
    header: 'Amount',
    isNumeric: true,
    cell: (row) => <Amount value={row.amount} currency={row.currency} />,
  },
  {
    key: 'applied',
    header: 'Applied for',
    isNumeric: true,
    sort: { key: 'applied', ...bySize },
    cell: (row) => <Amount value={row.amount_applied_for} />,
  },
  { key: 'fees', header: 'Fees', isNumeric: true, cell: (row) => <Amount value={row.fees_charged} /> },
  {
    key: 'received',
    header: 'To be received',
    isNumeric: true,
    isStrong: true,
    sort: { key: 'received', ...bySize },
    cell: (row) => <Amount value={row.amount_received} />,
  },
  { key: 'status', header: 'Status', cell: (row) => <StatusPill status={row.status} /> },
  {
    key: 'date',
    header: 'Date',
    sort: { key: 'date', ascending: 'oldest first', descending: 'newest first' },
    cell: (row) => <TableDate date={row.application_date} />,
  },
];

/** On a narrow screen: what will be received, or, as long as nothing was applied for, what the invoice is about. */
function ApplicationCard({ row, showOwner }: { readonly row: InvoiceRow; readonly showOwner: boolean }) {
  const applied = row.amount_received !== null;
  return (
    <ListCard
      title={<NumberLink row={row} />}
      badge={<StatusPill status={row.status} />}
      figure={{
        value: <Amount value={row.amount_received ?? row.amount} currency={row.currency} />,
        caption: applied ? 'to be received' : 'invoice amount',
      }}
      facts={[
        { label: 'Owner', value: showOwner ? row.owner : null },
        { label: 'Buyer', value: row.buyer },
        { label: 'Date', value: <TableDate date={row.application_date} /> },
      ]}
      figures={
        applied
          ? [
              { label: 'Amount', value: <Amount value={row.amount} /> },
              { label: 'Applied for', value: <Amount value={row.amount_applied_for} /> },
              { label: 'Fees', value: <Amount value={row.fees_charged} /> },
            ]
          : []
      }
    />
  );
}

interface ApplicationsTableProps {
  readonly label: string;
  readonly heading?: ReactNode;
  readonly businessTag: string;
  readonly showOwner: boolean;
  /** What stands where there is no application at all. */
  readonly empty: ReactNode;
}

/** Applications with search, status and pages, all of them kept in the address. */
export function ApplicationsTable({ label, heading, businessTag, showOwner, empty }: ApplicationsTableProps) {
  const list = useListState('applications');
  const status = statuses.find((name) => name === list.filter) ?? null;
  const sorting = sortingOf(list, invoiceSorts, '-date');
  const query = useApplications({ page: list.page, searchPhrase: list.search, status, sort: sorting.by, businessTag });
  const narrowed = list.search !== '' || status !== null;
  return (
    <>
      <ListTools
        heading={heading}
        state={list}
        searchLabel="Search applications"
        filterLabel="Status of applications"
        everything="Every status"
        options={statuses}
        filter={status}
        hidden={query.data?.length === 0 && !narrowed && list.page === 1}
      />
      <DataTable
        label={label}
        query={query}
        columns={showOwner ? [number, owner, ...columns] : [number, ...columns]}
        card={(row) => <ApplicationCard row={row} showOwner={showOwner} />}
        rowKey={(row) => row.tag}
        sorting={sorting}
        page={list.page}
        onPage={list.setPage}
        empty={narrowed ? <NothingFound state={list}>No application matches.</NothingFound> : empty}
      />
    </>
  );
}
