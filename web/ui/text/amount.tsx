import { formatAmount, toMinor } from '#contract/money.ts';
import classes from './amount.module.css';

interface AmountProps {
  /** The number from the server; null shows '-'. */
  readonly value: number | null;
  /** The currency's code, shown before the figure. */
  readonly currency?: string;
}

/**
 * An amount of money in one line with tabular figures: up to 2 decimals, '-' when empty
 * (docs/specification-coverage.md, 9).
 */
export function Amount({ value, currency }: AmountProps) {
  if (value === null) return <span className={classes.none}>-</span>;
  return (
    <span className={classes.amount}>
      {currency !== undefined && <span className={classes.currency}>{currency} </span>}
      {formatAmount(toMinor(value)).replace('-', '−')}
    </span>
  );
}
