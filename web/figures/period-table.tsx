import { PlainTable, scrollsSideways } from '#web/ui/tables/plain-table.tsx';
import classes from './figures.module.css';
import type { Period, SumColumn } from './periods.ts';
import { Sum } from './sum.tsx';

interface PeriodTableProps {
  readonly label: string;
  /** The header of the period column: 'Month'. */
  readonly header: string;
  readonly periods: readonly Period[];
  readonly columns: readonly SumColumn[];
}

/** The figures behind the chart, newest first. If the amounts are too wide, the table scrolls sideways. */
export function PeriodTable({ label, header, periods, columns }: PeriodTableProps) {
  return (
    <div className={classes.frame} {...scrollsSideways(label)}>
      <PlainTable
        rows={[...periods].reverse()}
        rowKey={({ from }) => from}
        className={classes.table ?? ''}
        aria-label={label}
        columns={[
          { key: 'period', header, cell: ({ name }) => name, isName: true },
          ...columns.map(({ key, label: name }) => ({
            key,
            header: name,
            isNumeric: true,
            cell: ({ values }: Period) => <Sum value={values[key]} />,
          })),
        ]}
      />
    </div>
  );
}
