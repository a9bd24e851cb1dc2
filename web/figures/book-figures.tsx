import { Text } from '@mantine/core';
import { counted } from '#contract/counts.ts';
import { figureEndpoints } from '#contract/figures/endpoints.ts';
import { type BookOfCurrency, type DueGroup, NAMED_SHARES } from '#contract/figures/schema.ts';
import { sumNumeric } from '#contract/money.ts';
import { type OverdueBucket, overdueBucketNames, overdueBuckets } from '#contract/payments/buckets.ts';
import { paths } from '#web/paths.ts';
import { useFigures } from './figures.api.ts';
import classes from './figures.module.css';
import { FiguresBlock } from './figures-block.tsx';
import { CurrencyChoice, type Total, Totals } from './figures-card.tsx';
import { useFiguresView } from './figures-view.ts';
import { ShareTable } from './share-table.tsx';

/** All outstanding advances: by due date, by days late, and by the largest buyers and clients. */
export function BookFigures() {
  const { query, ref } = useFigures(figureEndpoints.bookFigures);
  const all = query.data?.currencies;
  const currencies = all?.map(({ currency }) => currency) ?? [];
  const view = useFiguresView(currencies, 'out');
  const shown = all?.find(({ currency }) => currency === view.currency);
  return (
    <FiguresBlock
      title="Money out"
      query={query}
      isEmpty={all?.length === 0}
      empty="Nothing is out: every advance is paid back."
      ref={ref}
      beside={shown && <CurrencyChoice currencies={currencies} shown={shown.currency} onChange={view.showCurrency} />}
    >
      {shown && <Shown book={shown} />}
    </FiguresBlock>
  );
}

function Shown({ book }: { readonly book: BookOfCurrency }) {
  const { currency, all, due, buyers, clients } = book;
  const late = due.filter(({ group }) => isLate(group));
  const overdue = sumNumeric(late.map(({ outstanding }) => outstanding));
  const named = (parts: BookOfCurrency['buyers']) => parts.map(({ name, outstanding }) => ({ name, sum: outstanding }));
  const most = (parts: readonly unknown[], what: string): string =>
    parts.length < NAMED_SHARES ? `By ${what}` : `By ${what}, the ${NAMED_SHARES} largest`;
  return (
    <>
      <Totals currency={currency} totals={totalsOf(book, overdue)} />
      <div className={classes.shareTables}>
        <ShareTable
          title="Overdue"
          part="How late"
          currency={currency}
          whole={all.outstanding}
          isAlarm
          shares={late.map(({ group, outstanding }) => ({
            name: isLate(group) ? overdueBuckets[group].label : group,
            sum: outstanding,
            to: paths.deskJob('collect', group),
          }))}
        />
        <ShareTable
          title={most(buyers, 'buyer')}
          part="Buyer"
          currency={currency}
          whole={all.outstanding}
          shares={named(buyers)}
        />
        <ShareTable
          title={most(clients, 'client')}
          part="Client"
          currency={currency}
          whole={all.outstanding}
          shares={named(clients)}
        />
      </div>
      <Text size="sm" c="dimmed">
        Advances that are paid out and not paid back, now. Each share is of all that is out.
      </Text>
    </>
  );
}

function isLate(group: DueGroup): group is OverdueBucket {
  return overdueBucketNames.some((name) => name === group);
}

function totalsOf({ all, due }: BookOfCurrency, overdue: string): Total[] {
  const soon = due.find(({ group }) => group === 'dueThisWeek');
  const late = due.filter(({ group }) => isLate(group)).reduce((count, { applications }) => count + applications, 0);
  return [
    {
      label: 'Paid out, not paid back',
      sum: all.outstanding,
      hint: counted(all.applications, 'advance'),
      to: paths.deskJob('collect', 'disbursed'),
    },
    {
      label: 'Due within 7 days',
      sum: soon?.outstanding ?? '0.00',
      hint: counted(soon?.applications ?? 0, 'advance'),
      to: paths.deskJob('collect', 'dueThisWeek'),
    },
    {
      label: 'Overdue',
      sum: overdue,
      hint: counted(late, 'advance'),
      to: paths.deskJob('collect'),
      isAlarm: late > 0,
    },
  ];
}
