import dayjs from 'dayjs';
import type { OwnFigures } from '#contract/figures/schema.ts';
import { useOwnFigures } from '#web/figures/figures.api.ts';
import { type CurrencyFigures, FiguresCard } from '#web/figures/figures-card.tsx';
import { useSeen } from '#web/figures/figures-view.ts';

const received = { key: 'amountReceived', label: 'To be received' } as const;
const fees = { key: 'feesCharged', label: 'Fees' } as const;

const series = [
  { ...received, color: 'var(--mantine-primary-color-filled)' },
  { ...fees, color: 'var(--mantine-color-orange-6)' },
] as const;

const columns = [{ key: 'amountAppliedFor', label: 'Applied for' }, fees, received] as const;

/** A client's money: what is running, what is received and what it costs this year, and both by month. */
export function ClientFigures() {
  const { isSeen, watch } = useSeen();
  const query = useOwnFigures(isSeen);
  return (
    <FiguresCard
      title="What you applied for"
      note="Submitted applications by date of application; drafts are not counted. You are paid once an application is approved."
      empty="Nothing submitted yet. Once you submit an application, you see here, month by month, what you applied for, what it costs and what you receive."
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
        label: 'Running now',
        sum: running.amountAppliedFor,
        hint: `${countOf(running.applications)}, financing period not over`,
      },
      { label: `To be received, ${year}`, sum: thisYear.amountReceived, hint: countOf(thisYear.applications) },
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

function countOf(applications: number): string {
  return applications === 1 ? '1 application' : `${applications.toLocaleString('en')} applications`;
}
