import { counted } from '#contract/counts.ts';
import type { OwnFigures } from '#contract/figures/schema.ts';
import { sayMonth } from '#contract/time/calendar.ts';
import { useOwnFigures } from './figures.api.ts';
import { type CurrencyFigures, FiguresCard } from './figures-card.tsx';
import { useSeen } from './figures-view.ts';

const received = { key: 'amountReceived', label: 'Paid out' } as const;
const fees = { key: 'feesCharged', label: 'Fees' } as const;

const series = [
  { ...received, color: 'var(--mantine-primary-color-filled)' },
  { ...fees, color: 'var(--mantine-color-orange-6)' },
] as const;

const columns = [{ key: 'amountAppliedFor', label: 'Financed' }, fees, received] as const;

/** A client's money: what is to be paid back, what was paid out and what it cost this year, and both by month. */
export function ClientFigures() {
  const { isSeen, watch } = useSeen();
  const query = useOwnFigures(isSeen);
  return (
    <FiguresCard
      title="Your money"
      note="What we paid out to you, by the day of the payment."
      empty="Nothing paid out yet. After your first payment, each month shows what you got and what it cost."
      by="month"
      series={series}
      columns={columns}
      figures={query.data?.currencies.map(figuresOf)}
      error={query.error}
      isFetching={query.isFetching}
      retry={query.refetch}
      isSeen={isSeen}
      ref={watch}
    />
  );
}

function figuresOf({ currency, running, thisYear, months }: OwnFigures['currencies'][number]): CurrencyFigures {
  const year = months.at(-1)?.from.slice(0, 4) ?? '';
  return {
    currency,
    totals: [
      {
        label: 'To pay back',
        sum: running.outstanding,
        hint: counted(running.applications, 'application'),
      },
      { label: `Paid out, ${year}`, sum: thisYear.amountReceived, hint: counted(thisYear.applications, 'application') },
      { label: `Fees, ${year}`, sum: thisYear.feesCharged, hint: 'Fees are paid upfront' },
    ],
    periods: months.map(({ from, applications, ...values }) => ({
      from,
      tick: sayMonth(from),
      name: `${sayMonth(from)} ${from.slice(0, 4)}`,
      values: applications === 0 ? {} : values,
    })),
  };
}
