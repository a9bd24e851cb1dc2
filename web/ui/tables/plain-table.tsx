import { Table, type TableProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { ROWS_WITHOUT_FOOTER } from '#contract/product.ts';
import type { Column } from './data-table.tsx';

/** A column of a table without pages. */
export type PlainColumn<Row> = Pick<Column<Row>, 'key' | 'header' | 'cell' | 'isName' | 'isNumeric'>;

interface PlainTableProps<Row> extends Pick<TableProps, 'aria-label' | 'aria-labelledby' | 'className' | 'fz'> {
  readonly columns: readonly PlainColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** What was taken back stands in the table, struck out. */
  readonly isReversed?: (row: Row) => boolean;
  /** The last row; otherwise a long table repeats its headings. */
  readonly foot?: ReactNode;
}

/** A table of a few rows, without pages. */
export function PlainTable<Row>({ columns, rows, rowKey, isReversed, foot, ...props }: PlainTableProps<Row>) {
  const headings = (
    <Table.Tr>
      {columns.map(({ key, header, isNumeric }) => (
        <Table.Th key={key} scope="col" data-numeric={isNumeric}>
          {header}
        </Table.Th>
      ))}
    </Table.Tr>
  );
  const last = foot ?? (rows.length > ROWS_WITHOUT_FOOTER && headings);
  return (
    <Table verticalSpacing={6} {...props}>
      <Table.Thead>{headings}</Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={rowKey(row)} data-reversed={isReversed?.(row) || undefined}>
            {columns.map(({ key, cell, isName, isNumeric }) =>
              isName ? (
                <Table.Th key={key} scope="row">
                  {cell(row)}
                </Table.Th>
              ) : (
                <Table.Td key={key} data-numeric={isNumeric}>
                  {cell(row)}
                </Table.Td>
              ),
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
      {last && <Table.Tfoot>{last}</Table.Tfoot>}
    </Table>
  );
}

/** The frame of a table that may be wider than it: it can be scrolled by keyboard too. */
export function scrollsSideways(label: string) {
  return { tabIndex: 0, role: 'group', 'aria-label': `${label}, scrolls sideways` };
}
