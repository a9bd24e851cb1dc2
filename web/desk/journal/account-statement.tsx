import { Anchor, Button, Group, Table, Text } from '@mantine/core';
import { type AccountCode, accountCodes, accounts } from '#contract/journal/accounts.ts';
import type { AccountJournal } from '#contract/journal/schema.ts';
import { AccountChoice } from '#web/desk/account-choice.tsx';
import { paths } from '#web/paths.ts';
import { Link, useNavigate } from '#web/platform/router/router.tsx';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { useAccountJournal } from './journal.api.ts';
import classes from './journal.module.css';
import { entryText, JournalCard, Signed } from './journal-card.tsx';

interface AccountStatementProps {
  readonly account: AccountCode;
  readonly currency: string;
  /** The entry before which the page begins. */
  readonly before: string | undefined;
}

const options = accountCodes.map((value) => ({ value, label: accounts[value].name }));

/** The lines of an account, newest first, with the running balance. */
export function AccountStatement({ account, currency, before }: AccountStatementProps) {
  const query = useAccountJournal(account, currency, before);
  const navigate = useNavigate();
  const tools = (
    <Group align="end">
      <AccountChoice
        {...{ accounts: options, account, currency, width: 280 }}
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

function Lines({ lines }: Pick<AccountJournal, 'lines'>) {
  if (lines.length === 0) return <Text size="sm">Nothing was recorded in this account.</Text>;
  return (
    <Table className={classes.table} aria-label="Lines of the account" verticalSpacing={6} fz="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Date</Table.Th>
          <Table.Th scope="col">Entry</Table.Th>
          <Table.Th scope="col">Invoice</Table.Th>
          <Table.Th scope="col" data-numeric>
            Amount
          </Table.Th>
          <Table.Th scope="col" data-numeric>
            Balance
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((line) => (
          <Table.Tr key={line.tag}>
            <Table.Td>{formatFormDate(line.date)}</Table.Td>
            <Table.Th scope="row">{entryText(line)}</Table.Th>
            <Table.Td>
              {line.applicationTag === null ? (
                line.reference
              ) : (
                <Anchor component={Link} to={paths.journalOf(line.applicationTag)} fz="inherit">
                  {line.invoiceNumber}
                </Anchor>
              )}
            </Table.Td>
            <Table.Td data-numeric>
              <Signed value={line.amount} />
            </Table.Td>
            <Table.Td data-numeric>
              <Signed value={line.balance} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
