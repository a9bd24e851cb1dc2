import { Anchor, Table, Text, Title } from '@mantine/core';
import { accounts } from '#contract/journal/accounts.ts';
import { journalEndpoints } from '#contract/journal/endpoints.ts';
import type { TrialBalance } from '#contract/journal/schema.ts';
import { formatNumeric } from '#contract/money.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { paths } from '#web/paths.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { Link, useSearchParams } from '#web/platform/router/router.tsx';
import { DateField } from '#web/ui/dates/date-field.tsx';
import { PlainTable } from '#web/ui/tables/plain-table.tsx';
import classes from './journal.module.css';
import { JournalCard } from './journal-card.tsx';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The balance of every account at the end of a day. */
export function TrialBalanceCard() {
  const [params, change] = useSearchParams();
  const today = kampalaDate(new Date());
  const on = params.get('on') ?? today;
  const query = useCall(journalEndpoints.trialBalance, { query: { on }, ...live });
  const choose = (day: string): void => {
    if (DAY.test(day)) change({ on: day });
  };
  return (
    <JournalCard
      title="Trial balance"
      query={query}
      tools={<DateField label="At the end of" value={on} latest={today} onChange={choose} />}
    >
      {query.data && <Balances balance={query.data} />}
    </JournalCard>
  );
}

function sumOf(amount: string): string {
  return amount === '0.00' ? '' : formatNumeric(amount, 2);
}

function Balances({ balance }: { readonly balance: TrialBalance }) {
  if (balance.currencies.length === 0) return <Text size="sm">Nothing was recorded up to that day.</Text>;
  return balance.currencies.map(({ currency, accounts: listed, debit, credit }) => (
    <section key={currency} aria-label={currency}>
      <Title order={3} mt="sm">
        {currency}
      </Title>
      <PlainTable
        rows={listed}
        rowKey={({ account }) => account}
        className={classes.table ?? ''}
        aria-label={`Trial balance in ${currency}`}
        columns={[
          {
            key: 'account',
            header: 'Account',
            isName: true,
            cell: ({ account }) => (
              <Anchor component={Link} to={paths.journalOfAccount(account, currency)} fz="inherit">
                {accounts[account].name}
              </Anchor>
            ),
          },
          { key: 'debit', header: 'Debit', cell: (row) => sumOf(row.debit), isNumeric: true },
          { key: 'credit', header: 'Credit', cell: (row) => sumOf(row.credit), isNumeric: true },
        ]}
        foot={
          <Table.Tr>
            <Table.Th scope="row">Total</Table.Th>
            <Table.Th data-numeric>{formatNumeric(debit, 2)}</Table.Th>
            <Table.Th data-numeric>{formatNumeric(credit, 2)}</Table.Th>
          </Table.Tr>
        }
      />
    </section>
  ));
}
