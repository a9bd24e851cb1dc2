import { figureEndpoints } from '#contract/figures/endpoints.ts';
import type { IncomeFigures } from '#contract/figures/schema.ts';
import { sumNumeric } from '#contract/money.ts';
import { useFigures } from './figures.api.ts';
import { type CurrencyFigures, FiguresCard } from './figures-card.tsx';
import { monthFrom, weekFrom } from './periods.ts';

type OfCurrency = IncomeFigures['currencies'][number];

const due = { key: 'due', label: 'Due', color: 'var(--mantine-color-gray-5)' } as const;
const collected = { key: 'collected', label: 'Collected', color: 'var(--mantine-primary-color-filled)' } as const;
const earned = { key: 'earned', label: 'Fees earned', color: 'var(--mantine-primary-color-filled)' } as const;

/** Repayments of each week beside the amount due in that week. */
export function CollectedFigures() {
  const income = useFigures(figureEndpoints.incomeFigures);
  return (
    <FiguresCard
      title="Collected against due"
      {...income}
      name="collected"
      note="The last 12 weeks, from Monday. Due: advances by due date. Collected: what was paid back on any advance."
      empty="Nothing was due or paid back in the last 12 weeks."
      by="week"
      beside
      series={[due, collected]}
      columns={[due, collected]}
      figures={income.query.data?.currencies.map(collectedOf).filter(hasSome)}
    />
  );
}

function collectedOf({ currency, weeks }: OfCurrency): CurrencyFigures {
  const thisWeek = weeks.at(-1);
  return {
    currency,
    totals: [
      { label: 'Collected this week', sum: thisWeek?.collected ?? '0.00' },
      { label: 'Due this week', sum: thisWeek?.due ?? '0.00' },
      { label: 'Collected in 12 weeks', sum: sumNumeric(weeks.map((week) => week.collected)) },
      { label: 'Due in 12 weeks', sum: sumNumeric(weeks.map((week) => week.due)) },
    ],
    periods: weeks.map(({ from, ...values }) => ({
      ...weekFrom(from),
      values: something(values),
    })),
  };
}

/** Fee income by month. */
export function FeeFigures() {
  const income = useFigures(figureEndpoints.incomeFigures);
  return (
    <FiguresCard
      title="Fee income by month"
      {...income}
      name="fees"
      note="Fees are earned day by day, from the day after the payout."
      empty="No fees earned in the last 12 months."
      by="month"
      series={[earned]}
      columns={[earned]}
      figures={income.query.data?.currencies.map(feesOf).filter(hasSome)}
    />
  );
}

function feesOf({ currency, months }: OfCurrency): CurrencyFigures {
  const [thisMonth, year] = [months.at(-1), months.at(-1)?.from.slice(0, 4) ?? ''];
  const ofYear = months.filter(({ from }) => from.startsWith(year));
  return {
    currency,
    totals: [
      { label: 'Earned this month', sum: thisMonth?.earned ?? '0.00' },
      { label: `Earned, ${year}`, sum: sumNumeric(ofYear.map((month) => month.earned)) },
    ],
    periods: months.map(({ from, ...values }) => ({
      ...monthFrom(from),
      values: something(values),
    })),
  };
}

/** Leaves out zeros: they get no bar, and a dash in the table. */
function something(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, sum]) => sum !== '0.00'));
}

function hasSome({ periods }: CurrencyFigures): boolean {
  return periods.some(({ values }) => Object.keys(values).length > 0);
}
