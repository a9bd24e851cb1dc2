import { Anchor, Table, Text } from '@mantine/core';
import { accounts } from '#contract/journal/accounts.ts';
import type { ApplicationJournal } from '#contract/journal/schema.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { useApplicationJournal } from './journal.api.ts';
import classes from './journal.module.css';
import { entryText, JournalCard, Signed } from './journal-card.tsx';

/** Every entry of an application with its lines, oldest first, and each account's balance after it. */
export function ApplicationEntries({ tag }: { readonly tag: string }) {
  const query = useApplicationJournal(tag);
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

function Entries({ entries }: Pick<ApplicationJournal, 'entries'>) {
  if (entries.length === 0) return <Text size="sm">Nothing was paid out yet.</Text>;
  return (
    <Table className={classes.table} aria-label="Entries" verticalSpacing={6} fz="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Date</Table.Th>
          <Table.Th scope="col">Entry</Table.Th>
          <Table.Th scope="col">Account</Table.Th>
          <Table.Th scope="col" data-numeric>
            Amount
          </Table.Th>
          <Table.Th scope="col" data-numeric>
            Balance
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map((entry) =>
          entry.lines.map((line, index) => (
            <Table.Tr key={`${entry.tag} ${line.account}`}>
              <Table.Td>{index === 0 && formatFormDate(entry.date)}</Table.Td>
              <Table.Th scope="row">{index === 0 && entryText(entry)}</Table.Th>
              <Table.Td>{accounts[line.account].name}</Table.Td>
              <Table.Td data-numeric>
                <Signed value={line.amount} />
              </Table.Td>
              <Table.Td data-numeric>
                <Signed value={line.balance} />
              </Table.Td>
            </Table.Tr>
          )),
        )}
      </Table.Tbody>
    </Table>
  );
}
