import { figureEndpoints } from '#contract/figures/endpoints.ts';
import type { OwnFigures } from '#contract/figures/schema.ts';
import { useFigures } from './figures.api.ts';
import { type CurrencyFigures, FiguresCard } from './figures-card.tsx';
import { monthFrom } from './periods.ts';

const received = { key: 'amountReceived', label: 'Paid out' } as const;
const fees = { key: 'feesCharged', label: 'Fees' } as const;

const series = [
  { ...received, color: 'var(--mantine-primary-color-filled)' },
  { ...fees, color: 'var(--mantine-color-orange-6)' },
] as const;

const columns = [{ key: 'amountAppliedFor', label: 'Financed' }, fees, received] as const;

/** What a client's advances cost, with a breakdown by month. The dashboard's first part says what they owe. */
export function ClientFigures() {
  const own = useFigures(figureEndpoints.ownFigures);
  return (
    <FiguresCard
      title="Your money"
      {...own}
      note="What we paid out to you, by the day of the payment."
      empty="Nothing paid out yet. After your first payment, each month shows what you got and what it cost."
      by="month"
      series={series}
      columns={columns}
      figures={own.query.data?.currencies.map(figuresOf)}
    />
  );
}

const NO_FEES = '0.00';

type Own = OwnFigures['currencies'][number];

function figuresOf({ currency, thisYear, months }: Own): CurrencyFigures {
  const year = months.at(-1)?.from.slice(0, 4) ?? '';
  return {
    currency,
    totals: [{ label: `Fees, ${year}`, sum: thisYear.feesCharged, hint: 'with more time and late days' }],
    periods: months.map(({ from, applications, ...values }) => ({
      ...monthFrom(from),
      // A month can have a fee for an extension without any payout.
      values: applications === 0 && values.feesCharged === NO_FEES ? {} : values,
    })),
  };
}
