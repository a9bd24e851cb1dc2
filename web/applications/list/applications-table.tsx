import { Anchor, Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { statuses } from '#contract/applications/lifecycle.ts';
import type { InvoiceRow } from '#contract/invoices/schema.ts';
import { invoiceSorts } from '#contract/invoices/sorts.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { readStored, storageKeys, writeStored } from '#web/platform/storage/storage.ts';
import { TableDate } from '#web/ui/dates/table-date.tsx';
import { type Column, DataTable } from '#web/ui/tables/data-table.tsx';
import { ListCard } from '#web/ui/tables/list-card.tsx';
import { ListTools, NothingFound } from '#web/ui/tables/list-tools.tsx';
import { sortingOf, useListState } from '#web/ui/tables/url-state.ts';
import { Amount } from '#web/ui/text/amount.tsx';
import { BusinessLink } from '#web/ui/text/business-link.tsx';
import { StatusPill } from '#web/ui/text/status-pill.tsx';
import { useApplications } from './applications-list.api.ts';

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

const owner: Column<InvoiceRow> = {
  key: 'owner',
  header: 'Owner',
  shrinks: true,
  cell: (row) => <BusinessLink tag={row.owner_tag}>{row.owner}</BusinessLink>,
};

const buyer: Column<InvoiceRow> = {
  key: 'buyer',
  header: 'Buyer',
  shrinks: true,
  cell: (row) => <BusinessLink tag={row.buyer_tag}>{row.buyer}</BusinessLink>,
};

const bySize = { ascending: 'smallest first', descending: 'largest first' } as const;

/** A row shows its currency once, before the first amount. */
const columns: readonly Column<InvoiceRow>[] = [
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
  {
    key: 'status',
    header: 'Status',
    cell: (row) => <StatusPill status={row.status} overdue={row.overdue} currency={row.currency} />,
  },
  {
    key: 'date',
    header: 'Date',
    sort: { key: 'date', ascending: 'oldest first', descending: 'newest first' },
    cell: (row) => <TableDate date={row.application_date} />,
  },
];

/**
 * The figure on a card: the amount received or to be received; else the amount applied for, else the invoice's amount.
 */
function figureOf({ status, amount, amount_applied_for: applied, amount_received: received }: InvoiceRow) {
  if (received === null) return { value: amount, caption: 'Amount' };
  switch (status) {
    case 'Declined':
    case 'Withdrawn':
    case 'Cancelled':
    case 'Lapsed':
      return { value: applied, caption: 'Applied for' };
    case 'Disbursed':
    case 'Settled':
      return { value: received, caption: 'Paid out' };
    default:
      return { value: received, caption: 'To be received' };
  }
}

/** The other businesses that each list names: a client's own applications, all of them, or those of one business. */
const parties = { own: [buyer], all: [owner, buyer], client: [buyer], buyer: [owner] } as const;
type Whose = keyof typeof parties;

/** A row on a narrow screen. */
function ApplicationCard({ row, whose }: { readonly row: InvoiceRow; readonly whose: Whose }) {
  const applied = row.amount_received !== null;
  const { value, caption } = figureOf(row);
  return (
    <ListCard
      title={<NumberLink row={row} />}
      badge={<StatusPill status={row.status} overdue={row.overdue} currency={row.currency} />}
      figure={{
        value: <Amount value={value} currency={row.currency} />,
        caption,
      }}
      facts={[
        ...parties[whose].map(({ header, cell }) => ({ label: header, value: cell(row) })),
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
  readonly whose: Whose;
  /** Shown if there are no applications. */
  readonly empty: ReactNode;
}

/** Whether staff hide drafts in their lists; the device remembers the choice. */
function useDraftsHidden() {
  const [draftsHidden, setHidden] = useState(
    () => readStored(storageKeys.hideDrafts, (kept) => kept === true) ?? false,
  );
  const hideDrafts = (wanted: boolean): void => {
    writeStored(storageKeys.hideDrafts, wanted);
    setHidden(wanted);
  };
  return { draftsHidden, hideDrafts };
}

/** Applications with search, status filter and pages, all kept in the address. */
export function ApplicationsTable({ label, heading, businessTag, whose, empty }: ApplicationsTableProps) {
  const forStaff = whose !== 'own';
  const list = useListState(whose === 'buyer' ? 'as-buyer' : 'applications');
  const status = statuses.find((name) => name === list.filter) ?? null;
  const { draftsHidden, hideDrafts } = useDraftsHidden();
  const withoutDrafts = forStaff && draftsHidden && status === null;
  const sorting = sortingOf(list, invoiceSorts, '-date');
  const { page, search: searchPhrase } = list;
  const query = useApplications({
    page,
    searchPhrase,
    status,
    withoutDrafts,
    sort: sorting.by,
    businessTag,
    ...(whose === 'client' || whose === 'buyer' ? { asBuyer: whose === 'buyer' } : {}),
  });
  const narrowed = searchPhrase !== '' || status !== null;
  const toggleDrafts = (): void => {
    hideDrafts(!draftsHidden);
    list.setFilter(null); // and returns to the first page
  };
  const headingForStaff = (
    <Group gap="xs">
      {heading}
      {status === null && (
        <Button variant="subtle" size="compact-sm" onClick={toggleDrafts}>
          {draftsHidden ? 'Show drafts' : 'Hide drafts'}
        </Button>
      )}
    </Group>
  );
  return (
    <>
      <ListTools
        heading={forStaff ? headingForStaff : heading}
        state={list}
        searchLabel="Search applications"
        filterLabel="Status of applications"
        everything={withoutDrafts ? 'All but drafts' : 'Every status'}
        options={statuses}
        filter={status}
        hidden={query.data?.length === 0 && !narrowed && page === 1 && !withoutDrafts}
      />
      <DataTable
        label={label}
        query={query}
        columns={[number, ...parties[whose], ...columns]}
        card={(row) => <ApplicationCard row={row} whose={whose} />}
        rowKey={(row) => row.tag}
        sorting={sorting}
        list={list}
        empty={
          narrowed ? (
            <NothingFound state={list}>No application matches.</NothingFound>
          ) : withoutDrafts ? (
            <Text>Nothing is submitted yet.</Text>
          ) : (
            empty
          )
        }
      />
    </>
  );
}
