import { Anchor, Text } from '@mantine/core';
import { accounts } from '#contract/journal/accounts.ts';
import { journalEndpoints } from '#contract/journal/endpoints.ts';
import type { ApplicationJournal } from '#contract/journal/schema.ts';
import { kindName } from '#web/desk/payments/entry-name.ts';
import { paths } from '#web/paths.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { Link } from '#web/platform/router/router.tsx';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import type { Column } from '#web/ui/tables/data-table.tsx';
import { PlainTable } from '#web/ui/tables/plain-table.tsx';
import { useIsPhone } from '#web/ui/theme/use-is-phone.ts';
import classes from './journal.module.css';
import { JournalCard, narrowPostedColumns, postedColumns } from './journal-card.tsx';

/** Every journal entry of an application with its lines by date, oldest first, and the balance of each account after it. */
export function ApplicationEntries({ tag }: { readonly tag: string }) {
  const query = useCall(journalEndpoints.applicationJournal, { params: { tag }, ...live });
  const { data } = query;
  const title = data === undefined ? 'Application' : `Invoice ${data.invoiceNumber}, ${data.currency}`;
  const back = (
    <Anchor component={Link} to={paths.deskCase(tag)} w="fit-content">
      Open the case
    </Anchor>
  );
  return (
    <JournalCard title={title} query={query} tools={back}>
      {data && <Entries entries={data.entries} />}
    </JournalCard>
  );
}

type Entry = ApplicationJournal['entries'][number];
type Row = Entry['lines'][number] & { readonly entry: Entry; readonly isFirst: boolean };

const entryColumns: readonly Column<Row>[] = [
  { key: 'date', header: 'Date', cell: ({ entry, isFirst }) => isFirst && formatFormDate(entry.date) },
  { key: 'entry', header: 'Entry', cell: ({ entry, isFirst }) => isFirst && kindName(entry), isName: true },
  { key: 'account', header: 'Account', cell: ({ account }) => accounts[account].name },
  ...postedColumns,
];

/** The columns on a phone. */
const narrowColumns: readonly Column<Row>[] = [
  {
    key: 'account',
    header: 'Entry and account',
    isName: true,
    cell: ({ entry, isFirst, account }) => (
      <>
        {isFirst && (
          <div className={classes.about}>
            {formatFormDate(entry.date)}, {kindName(entry).toLowerCase()}
          </div>
        )}
        {accounts[account].name}
      </>
    ),
  },
  ...narrowPostedColumns,
];

function Entries({ entries }: Pick<ApplicationJournal, 'entries'>) {
  const isPhone = useIsPhone();
  if (entries.length === 0) return <Text size="sm">Nothing was paid out yet.</Text>;
  const rows = entries.flatMap((entry) => entry.lines.map((line, index) => ({ ...line, entry, isFirst: index === 0 })));
  return (
    <PlainTable
      columns={isPhone ? narrowColumns : entryColumns}
      rows={rows}
      className={classes.table ?? ''}
      fz="sm"
      rowKey={({ entry, account }) => `${entry.tag} ${account}`}
      aria-label="Entries"
    />
  );
}
