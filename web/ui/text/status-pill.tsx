import { counted } from '#contract/counts.ts';
import { formatAmount, toMinor } from '#contract/money.ts';
import type { Overdue } from '#contract/payments/overdue.ts';
import { type PillStatus, statusColor } from '#web/ui/theme/status-colors.ts';
import classes from './status-pill.module.css';

interface StatusPillProps {
  readonly status: PillStatus;
  /** Shown instead of the status. */
  readonly overdue?: Overdue | null | undefined;
  /** The currency code of the overdue amount; without it, only the days are shown. */
  readonly currency?: string | undefined;
}

/** A status as a word with a colour; both depend on the status alone (docs/specification-coverage.md, 4). */
export function StatusPill({ status, overdue, currency }: StatusPillProps) {
  const { className, style } = statusColor(overdue ? 'Overdue' : status);
  return (
    <span className={`${classes.pill} ${className}`} data-status={status.toLowerCase()} style={style}>
      {overdue ? overdueText(overdue, currency) : status}
    </span>
  );
}

function overdueText({ days, outstanding }: Overdue, currency: string | undefined): string {
  const late = `Overdue ${counted(days, 'day')}`;
  return currency === undefined ? late : `${late} · ${currency} ${formatAmount(toMinor(outstanding))}`;
}
