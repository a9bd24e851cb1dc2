import { type Status, statuses, undecidedStatuses } from '#contract/applications/lifecycle.ts';
import { counted } from '#contract/counts.ts';
import { figureEndpoints } from '#contract/figures/endpoints.ts';
import type { AllFigures } from '#contract/figures/schema.ts';
import { sumNumeric } from '#contract/money.ts';
import { paths } from '#web/paths.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { chartColor } from '#web/ui/theme/status-colors.ts';
import { type CurrencyFigures, FiguresCard } from './figures-card.tsx';
import { useSeen } from './figures-view.ts';
import { weekFrom } from './periods.ts';

/** The most advanced status comes first, at the bottom of each bar. */
const shownStatuses = [...statuses].reverse();

const series = shownStatuses.map((status) => ({ key: status, label: status, color: chartColor(status) }));

interface Group {
  readonly label: string;
  readonly statuses: readonly Status[];
  /** A link to the group's list. */
  readonly to: string;
}

/**
 * The statuses that need action, grouped by the next action. Drafts and withdrawals need none, so only the chart shows
 * them.
 */
const groups: readonly Group[] = [
  { label: 'Being decided', statuses: undecidedStatuses, to: paths.desk },
  { label: 'To pay out', statuses: ['Approved'], to: paths.deskJob('payOut') },
  { label: 'Paid out', statuses: ['Disbursed'], to: paths.deskJob('collect', 'disbursed') },
  { label: 'Paid back', statuses: ['Settled'], to: paths.applicationsWith('Settled') },
  { label: 'Declined', statuses: ['Declined'], to: paths.applicationsWith('Declined') },
];

/** All clients' amounts by status and by week. */
export function StaffFigures() {
  const { isSeen, watch } = useSeen();
  const query = useCall(figureEndpoints.allFigures, { staleTime: 0 });
  return (
    <FiguresCard
      title="Amounts applied for by week"
      query={query}
      note="The last 12 weeks, by date of application, in weeks from Monday. Drafts count with the amount entered so far."
      empty="No applications in the last 12 weeks."
      by="week"
      series={series}
      columns={series}
      figures={query.data?.currencies.map(figuresOf)}
      isSeen={isSeen}
      ref={watch}
    />
  );
}

function figuresOf({ currency, statuses: totals, weeks }: AllFigures['currencies'][number]): CurrencyFigures {
  return {
    currency,
    totals: groups.map(({ label, statuses: members, to }) => {
      const parts = totals.filter(({ status }) => members.includes(status));
      return {
        label,
        to,
        sum: sumNumeric(parts.map(({ amountAppliedFor }) => amountAppliedFor)),
        hint: counted(
          parts.reduce((count, { applications }) => count + applications, 0),
          'application',
        ),
      };
    }),
    periods: weeks.map(({ from, statuses: parts }) => ({
      ...weekFrom(from),
      values: Object.fromEntries(
        parts
          .filter(({ applications }) => applications > 0)
          .map(({ status, amountAppliedFor }) => [status, amountAppliedFor]),
      ),
    })),
  };
}
