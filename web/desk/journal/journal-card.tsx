import { Card, Skeleton, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumeric } from '#contract/money.ts';
import { NotLoaded } from '#web/ui/loading/not-loaded.tsx';
import { scrollsSideways } from '#web/ui/tables/plain-table.tsx';
import classes from './journal.module.css';

/** A signed amount of the journal; credits are negative. Always two decimals, so that columns line up. */
export function Signed({ value }: { readonly value: string }) {
  return value.startsWith('-') ? `−${formatNumeric(value.slice(1), 2)}` : formatNumeric(value, 2);
}

/** The last columns of a journal table. */
export const signedColumns = (['amount', 'balance'] as const).map((key) => ({
  key,
  header: key === 'amount' ? 'Amount' : 'Balance',
  isNumeric: true,
  cell: (row: { readonly amount: string; readonly balance: string }) => <Signed value={row[key]} />,
}));

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
