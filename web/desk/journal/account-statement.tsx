import { Anchor, Button, Group, Text } from '@mantine/core';
import { type AccountCode, accountCodes, accounts } from '#contract/journal/accounts.ts';
import { journalEndpoints } from '#contract/journal/endpoints.ts';
import type { AccountJournal } from '#contract/journal/schema.ts';
import { AccountChoice } from '#web/desk/account-choice.tsx';
import { kindName } from '#web/desk/payments/entry-name.ts';
import { paths } from '#web/paths.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { navigate } from '#web/platform/router/history.ts';
import { Link } from '#web/platform/router/router.tsx';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import type { Column } from '#web/ui/tables/data-table.tsx';
import { PlainTable } from '#web/ui/tables/plain-table.tsx';
import { BusinessLink } from '#web/ui/text/business-link.tsx';
import { useIsPhone } from '#web/ui/theme/use-is-phone.ts';
import classes from './journal.module.css';
import { JournalCard, narrowPostedColumns, postedColumns } from './journal-card.tsx';

interface AccountStatementProps {
  readonly account: AccountCode;
  readonly currency: string;
  /** The page shows the lines before this entry. */
  readonly before: string | undefined;
}

const options = accountCodes.map((value) => ({ value, label: accounts[value].name }));

/** The lines of an account by date, newest first, with the running balance. */
export function AccountStatement({ account, currency, before }: AccountStatementProps) {
  const query = useCall(journalEndpoints.accountJournal, {
    params: { account },
    query: { currency, ...(before === undefined ? {} : { before }) },
    ...live,
  });
  const tools = (
    <Group align="end">
      <AccountChoice
        accounts={options}
        account={account}
        currency={currency}
        width={280}
        onChange={(next, code) => void navigate(paths.journalOfAccount(next, code))}
      />
    </Group>
  );
  return (
    <>
      <JournalCard title={`${accounts[account].name}, ${currency}`} query={query} tools={tools}>
        {query.data && <Lines lines={query.data.lines} />}
      </JournalCard>
      {query.data?.next != null && (
        <Group>
          <Button
            component={Link}
            variant="default"
            to={`${paths.journalOfAccount(account, currency)}&before=${query.data.next}`}
          >
            Earlier entries
          </Button>
        </Group>
      )}
    </>
  );
}

type Line = AccountJournal['lines'][number];

const lineColumns: readonly Column<Line>[] = [
  { key: 'date', header: 'Date', cell: ({ date }) => formatFormDate(date) },
  { key: 'entry', header: 'Entry', cell: kindName, isName: true },
  { key: 'client', header: 'Client', cell: (line) => <Client line={line} /> },
  { key: 'invoice', header: 'Invoice', cell: (line) => <Source line={line} /> },
  ...postedColumns,
];

/** The columns on a phone. */
const narrowColumns: readonly Column<Line>[] = [
  {
    key: 'entry',
    header: 'Entry',
    isName: true,
    cell: (line) => (
      <>
        {kindName(line)}
        <div className={classes.about}>{formatFormDate(line.date)}</div>
        <div className={classes.about}>
          <Client line={line} />
        </div>
        <Source line={line} />
      </>
    ),
  },
  ...narrowPostedColumns,
];

function Client({ line: { client, clientTag } }: { readonly line: Line }) {
  return client !== null && <BusinessLink tag={clientTag}>{client}</BusinessLink>;
}

/** The invoice that a line belongs to, otherwise the reference that came with the money. */
function Source({ line: { applicationTag, reference, invoiceNumber } }: { readonly line: Line }) {
  if (applicationTag === null) return reference;
  return (
    <Anchor component={Link} to={paths.journalOf(applicationTag)} fz="inherit">
      {invoiceNumber}
    </Anchor>
  );
}

function Lines({ lines }: Pick<AccountJournal, 'lines'>) {
  const isPhone = useIsPhone();
  if (lines.length === 0) return <Text size="sm">Nothing was recorded in this account.</Text>;
  return (
    <PlainTable
      columns={isPhone ? narrowColumns : lineColumns}
      rows={lines}
      rowKey={({ tag }) => tag}
      className={classes.table ?? ''}
      fz="sm"
      aria-label="Lines of the account"
    />
  );
}
