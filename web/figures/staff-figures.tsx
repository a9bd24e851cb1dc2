import dayjs from 'dayjs';
import { type Status, statuses } from '#contract/applications/lifecycle.ts';
import type { AllFigures } from '#contract/figures/schema.ts';
import { useAllFigures } from '#web/figures/figures.api.ts';
import { type CurrencyFigures, FiguresCard } from '#web/figures/figures-card.tsx';
import { useSeen } from '#web/figures/figures-view.ts';
import { counted } from '#web/ui/counts.ts';

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
const shownStatuses = [...statuses].reverse();

const series = shownStatuses.map((status) => ({ key: status, label: status, color: colors[status] }));

/** Everybody's amounts by state and by week. */
export function StaffFigures() {
  const { isSeen, watch } = useSeen();
  const query = useAllFigures();
  return (
    <FiguresCard
      title="Amounts applied for by week"
      note="By date of application, in weeks from Monday; of drafts, the amount entered so far."
      empty="No application in the last 12 weeks."
      by="week"
      series={series}
      columns={series}
      figures={query.data?.currencies.map(figuresOf)}
      error={query.error}
      isFetching={query.isFetching}
      retry={query.refetch}
      isSeen={isSeen}
      ref={watch}
    />
  );
}

function figuresOf({ currency, statuses: totals, weeks }: AllFigures['currencies'][number]): CurrencyFigures {
  return {
    currency,
    totals: shownStatuses.flatMap((status) => {
      const total = totals.find((sums) => sums.status === status);
      // A state in which there is no application has no figure.
      if (total === undefined || total.applications === 0) return [];
      return [
        {
          label: `${status}, last ${weeks.length} weeks`,
          sum: total.amountAppliedFor,
          hint: counted(total.applications, 'application'),
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
