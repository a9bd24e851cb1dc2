import { counted } from '#contract/counts.ts';
import { figureEndpoints } from '#contract/figures/endpoints.ts';
import type { OwnFigures } from '#contract/figures/schema.ts';
import { minorToNumeric } from '#contract/money.ts';
import { kampalaDate, sayDate } from '#contract/time/calendar.ts';
import { useFigures } from './figures.api.ts';
import { type CurrencyFigures, FiguresCard, type Total } from './figures-card.tsx';
import { monthFrom } from './periods.ts';

const received = { key: 'amountReceived', label: 'Paid out' } as const;
const fees = { key: 'feesCharged', label: 'Fees' } as const;

const series = [
  { ...received, color: 'var(--mantine-primary-color-filled)' },
  { ...fees, color: 'var(--mantine-color-orange-6)' },
] as const;

const columns = [{ key: 'amountAppliedFor', label: 'Financed' }, fees, received] as const;

interface ClientFiguresProps {
  /** The available funding limits, in minor units by currency; undefined while they load. */
  readonly available: ReadonlyMap<string, number> | undefined;
}

/**
 * A client's money: what they owe, the next due amount, what they can still apply for, and what it cost, with a
 * breakdown by month.
 */
export function ClientFigures({ available }: ClientFiguresProps) {
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
      figures={own.query.data?.currencies.map((figures) => figuresOf(figures, available?.get(figures.currency)))}
    />
  );
}

const NO_FEES = '0.00';

type Own = OwnFigures['currencies'][number];

function figuresOf({ currency, running, dueNext, thisYear, months }: Own, available?: number): CurrencyFigures {
  const year = months.at(-1)?.from.slice(0, 4) ?? '';
  return {
    currency,
    totals: [
      { label: 'You owe', sum: running.outstanding, hint: counted(running.applications, 'application') },
      ...(dueNext === null ? [] : [totalDue(dueNext)]),
      ...(available === undefined
        ? []
        : [{ label: 'Available', sum: minorToNumeric(available), hint: 'of your funding limit' }]),
      { label: `Fees, ${year}`, sum: thisYear.feesCharged, hint: 'with more time and late days' },
    ],
    periods: months.map(({ from, applications, ...values }) => ({
      ...monthFrom(from),
      // A month can have a fee for an extension without any payout.
      values: applications === 0 && values.feesCharged === NO_FEES ? {} : values,
    })),
  };
}

/** The earliest due date and amount; red once it is late. */
function totalDue({ dueOn, outstanding }: NonNullable<Own['dueNext']>): Total {
  const isAlarm = dueOn < kampalaDate(new Date());
  return { label: 'Due next', sum: outstanding, hint: `${isAlarm ? 'was due' : 'by'} ${sayDate(dueOn)}`, isAlarm };
}
