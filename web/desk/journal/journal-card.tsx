import { Card, Skeleton, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumeric } from '#contract/money.ts';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import type { Column } from '#web/ui/tables/data-table.tsx';
import { scrollsSideways } from '#web/ui/tables/plain-table.tsx';
import classes from './journal.module.css';

interface Posted {
  /** Decimal text: a debit is above 0, a credit below. */
  readonly amount: string;
  readonly balance: string;
}

/** Always two decimals, so that columns line up. */
function say(amount: string): string {
  return formatNumeric(amount, 2).replace('-', '−');
}

function side(key: string, header: string, isOf: (amount: string) => boolean): Column<Posted> {
  const cell = ({ amount }: Posted): string => (isOf(amount) ? say(amount.replace('-', '')) : '');
  return { key, header, isNumeric: true, cell };
}

const isCredit = (amount: string): boolean => amount.startsWith('-');
const balanceColumn: Column<Posted> = {
  key: 'balance',
  header: 'Balance',
  isNumeric: true,
  cell: ({ balance }) => say(balance),
};

/** The last columns of a journal table. */
export const postedColumns = [
  side('debit', 'Debit', (amount) => !isCredit(amount)),
  side('credit', 'Credit', isCredit),
  balanceColumn,
];

/** The same on a phone, where one column has both sides; credits are negative. */
export const narrowPostedColumns: readonly Column<Posted>[] = [
  { key: 'amount', header: 'Debit, −credit', isNumeric: true, cell: ({ amount }) => say(amount) },
  balanceColumn,
];

interface JournalCardProps {
  readonly title: string;
  readonly query: { readonly isError: boolean; readonly error: Error | null; readonly refetch: () => unknown };
  /** Undefined until it has loaded. */
  readonly children: ReactNode | undefined;
  readonly tools?: ReactNode;
}

/** A card with a journal table, also shown while it loads and after a failure. */
export function JournalCard({ title, query, tools, children }: JournalCardProps) {
  return (
    <Card component="section" aria-label={title} padding="md">
      <Stack gap="sm">
        <Title order={2}>{title}</Title>
        {tools}
        {children === undefined && !query.isError && <Skeleton height={240} />}
        {query.isError && <NotLoaded what="The journal" query={query} />}
        {children !== undefined && (
          <div className={classes.frame} {...scrollsSideways(title)}>
            {children}
          </div>
        )}
      </Stack>
    </Card>
  );
}
