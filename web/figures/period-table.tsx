import { Table } from '@mantine/core';
import { ROWS_WITHOUT_FOOTER } from '#contract/product.ts';
import classes from './figures.module.css';
import type { Period, SumColumn } from './periods.ts';
import { Sum } from './sum.tsx';

interface PeriodTableProps {
  readonly label: string;
  /** The header of the periods: 'Month'. */
  readonly header: string;
  readonly periods: readonly Period[];
  readonly columns: readonly SumColumn[];
}

/** The figures behind the chart, newest first; amounts that need more room than there is scroll sideways. */
export function PeriodTable({ label, header, periods, columns }: PeriodTableProps) {
  const scrolling = { tabIndex: 0, role: 'group', 'aria-label': `${label}, scrolls sideways` };
  const headings = (
    <Table.Tr>
      <Table.Th scope="col">{header}</Table.Th>
      {columns.map((column) => (
        <Table.Th key={column.key} scope="col" data-numeric>
          {column.label}
        </Table.Th>
      ))}
    </Table.Tr>
  );
  return (
    <div className={classes.frame} {...scrolling}>
      <Table aria-label={label} className={classes.table} verticalSpacing={6}>
        <Table.Thead>{headings}</Table.Thead>
        <Table.Tbody>
          {[...periods].reverse().map(({ from, name, values }) => (
            <Table.Tr key={from}>
              <Table.Th scope="row">{name}</Table.Th>
              {columns.map(({ key }) => (
                <Table.Td key={key} data-numeric>
                  <Sum value={values[key]} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
        {periods.length > ROWS_WITHOUT_FOOTER && <Table.Tfoot>{headings}</Table.Tfoot>}
      </Table>
    </div>
  );
}
