import { formatNumeric } from '#contract/money.ts';
import classes from '#web/ui/text/amount.module.css';

interface SumProps {
  /** Decimal text; undefined shows '-'. */
  readonly value: string | undefined;
  /** The currency's code, shown before the figure. */
  readonly currency?: string;
}

/** A sum in one line with tabular figures, formatted like every amount (docs/specification-coverage.md, 9). */
export function Sum({ value, currency }: SumProps) {
  if (value === undefined) return '-';
  return (
    <span className={classes.amount}>
      {currency !== undefined && <span className={classes.currency}>{currency} </span>}
      {formatNumeric(value)}
    </span>
  );
}
