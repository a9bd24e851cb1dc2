import dayjs from 'dayjs';
import type { OwnFigures } from '#contract/figures/schema.ts';
import { useOwnFigures } from '#web/figures/figures.api.ts';
import { type CurrencyFigures, FiguresCard } from '#web/figures/figures-card.tsx';
import { useSeen } from '#web/figures/figures-view.ts';
import { counted } from '#web/ui/counts.ts';

const received = { key: 'amountReceived', label: 'Received' } as const;
const fees = { key: 'feesCharged', label: 'Fees' } as const;

const series = [
  { ...received, color: 'var(--mantine-primary-color-filled)' },
  { ...fees, color: 'var(--mantine-color-orange-6)' },
] as const;

const columns = [{ key: 'amountAppliedFor', label: 'Financed' }, fees, received] as const;

/** A client's money: what is being financed, what was received and what it cost this year, and both by month. */
export function ClientFigures() {
  const { isSeen, watch } = useSeen();
  const query = useOwnFigures(isSeen);
  return (
    <FiguresCard
      title="Your money"
      note="What was paid out to you, by the day of the payment. What is submitted or approved is counted once it is paid out."
      empty="Nothing paid out yet. Once an application is paid out, you see here, month by month, what was financed, what it cost and what you received."
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
        label: 'Being financed',
        sum: running.outstanding,
        hint: `${counted(running.applications, 'application')}, still to be paid back`,
      },
      { label: `Received, ${year}`, sum: thisYear.amountReceived, hint: counted(thisYear.applications, 'application') },
      { label: `Fees, ${year}`, sum: thisYear.feesCharged, hint: 'Fees are paid upfront' },
    ],
    periods: months.map(({ from, applications, ...values }) => ({
      from,
      tick: dayjs(from).format('MMM'),
      name: dayjs(from).format('MMM YYYY'),
      values: applications === 0 ? {} : values,
    })),
  };
}
