import { Table, type TableProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { ROWS_WITHOUT_FOOTER } from '#contract/product.ts';
import { Cell, type Column, Header } from './data-table.tsx';

interface PlainTableProps<Row> extends Pick<TableProps, 'aria-label' | 'className' | 'fz'> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** A reversed row stays in the table, struck out. */
  readonly isReversed?: (row: Row) => boolean;
  /** The last row; without one, a long table repeats its headings there. */
  readonly foot?: ReactNode;
}

/** A table of a few rows, without pages. */
export function PlainTable<Row>({ columns, rows, rowKey, isReversed, foot, ...props }: PlainTableProps<Row>) {
  const headings = <Header columns={columns} />;
  const last = foot ?? (rows.length > ROWS_WITHOUT_FOOTER && headings);
  return (
    <Table verticalSpacing={6} {...props}>
      <Table.Thead>{headings}</Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={rowKey(row)} data-reversed={isReversed?.(row) || undefined}>
            {columns.map((column) => (
              <Cell key={column.key} column={column} content={column.cell(row)} />
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
      {last && <Table.Tfoot>{last}</Table.Tfoot>}
    </Table>
  );
}

/** The frame of a table that may be wider than the frame; it can also be scrolled by keyboard. */
export function scrollsSideways(label: string) {
  return { tabIndex: 0, role: 'group', 'aria-label': `${label}, scrolls sideways` };
}
