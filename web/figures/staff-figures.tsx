import dayjs from 'dayjs';
import { type Status, statuses } from '#contract/applications/lifecycle.ts';
import type { AllFigures } from '#contract/figures/schema.ts';
import { useAllFigures } from '#web/figures/figures.api.ts';
import { type CurrencyFigures, FiguresCard } from '#web/figures/figures-card.tsx';
import { useSeen } from '#web/figures/figures-view.ts';

const colors: Readonly<Record<Status, string>> = {
  Draft: 'var(--mantine-color-gray-5)',
  Submitted: 'var(--mantine-primary-color-filled)',
  'In Review': 'var(--mantine-color-cyan-6)',
  'Info Requested': 'var(--mantine-color-yellow-6)',
  Approved: 'var(--mantine-color-teal-5)',
  Declined: 'var(--mantine-color-red-6)',
  Withdrawn: 'var(--mantine-color-gray-4)',
  Disbursed: 'var(--mantine-color-indigo-5)',
  Settled: 'var(--mantine-color-green-7)',
};

/** What is furthest on its way stands first, and lowest in each bar. */
const shownStatuses = statuses.toReversed();

/** A state in which there is no application has neither figure nor bar. */
function usedStatuses(currencies: AllFigures['currencies']): readonly Status[] {
  const used = new Set(
    currencies.flatMap(({ statuses: totals }) =>
      totals.filter(({ applications }) => applications > 0).map(({ status }) => status),
    ),
  );
  return shownStatuses.filter((status) => used.has(status));
}

/** Everybody's amounts by state and by week. */
export function StaffFigures() {
  const { isSeen, watch } = useSeen();
  const query = useAllFigures();
  const used = usedStatuses(query.data?.currencies ?? []);
  const series = used.map((status) => ({ key: status, label: status, color: colors[status] }));
  return (
    <FiguresCard
      title="Amounts applied for by week"
      note="By date of application, in weeks from Monday; of drafts, the amount entered so far."
      empty="No application in the last 12 weeks."
      by="week"
      series={series}
      columns={series}
      figures={query.data?.currencies.map((figures) => figuresOf(figures, used))}
      error={query.error}
      isFetching={query.isFetching}
      retry={query.refetch}
      isSeen={isSeen}
      ref={watch}
    />
  );
}

function figuresOf(
  { currency, statuses: totals, weeks }: AllFigures['currencies'][number],
  used: readonly Status[],
): CurrencyFigures {
  return {
    currency,
    totals: used.flatMap((status) => {
      const total = totals.find((sums) => sums.status === status);
      if (total === undefined) return [];
      const applications = total.applications.toLocaleString('en');
      return [
        {
          label: `${status}, last ${weeks.length} weeks`,
          sum: total.amountAppliedFor,
          hint: total.applications === 1 ? '1 application' : `${applications} applications`,
        },
      ];
    }),
    periods: weeks.map(({ from, statuses: parts }) => ({
      from,
      tick: dayjs(from).format('D MMM'),
      name: dayjs(from).format('D MMM YYYY'),
      values: Object.fromEntries(
        parts
          .filter(({ applications }) => applications > 0)
          .map(({ status, amountAppliedFor }) => [status, amountAppliedFor]),
      ),
    })),
  };
}
