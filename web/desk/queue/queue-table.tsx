import type { ReactNode } from 'react';
import type { QueueRow } from '#contract/desk/schema.ts';
import { DataTable, type ListQuery } from '#web/ui/tables/data-table.tsx';
import { QueueCard } from './queue-card.tsx';
import { type QueueContext, queueColumns } from './queue-columns.tsx';

interface QueueTableProps extends QueueContext {
  readonly query: ListQuery<QueueRow>;
  readonly page: number;
  readonly onPage: (page: number) => void;
  readonly empty: ReactNode;
}

/** A list of the desk: a table, or cards on a narrow screen. */
export function QueueTable({ query, page, onPage, empty, ...context }: QueueTableProps) {
  return (
    <DataTable
      label="Queue"
      query={query}
      columns={queueColumns(context)}
      card={(row) => <QueueCard row={row} {...context} />}
      rowKey={(row) => row.tag}
      page={page}
      onPage={onPage}
      empty={empty}
    />
  );
}
