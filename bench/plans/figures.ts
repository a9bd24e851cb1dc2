import { fill as fillPaid } from '#bench/fills/desk-queue.fill.ts';
import { fill } from '#bench/fills/invoice-list.fill.ts';
import { fillJournal } from '#bench/fills/journal.fill.ts';
import { selectBook } from '#server/figures/book.queries.ts';
import { selectAllFigures, selectDueNext, selectOwnFigures } from '#server/figures/figures.queries.ts';
import { selectCollected, selectDue, selectEarned } from '#server/figures/income.queries.ts';
import { selectAccountLines } from '#server/journal/reading.queries.ts';
import { BUSINESSES, businessAt, measureAll, onFilledDatabase, ROWS, statement } from './plans.ts';

/**
 * The cost of the dashboards' figures with a million applications of a thousand businesses, and with most of them paid out and a
 * million entries of earned fees (docs/decisions/0010-figures.md).
 *
 *   node bench/plans/figures.ts [invoices] [--plans] [--generic]
 */

/** The last day of the filling. */
const TODAY = '2026-10-31';

await onFilledDatabase(
  (db) => fill(db, { invoices: ROWS, businesses: BUSINESSES }),
  async ({ db }) => {
    const [{ id: largest }, { id: middle }] = [await businessAt(db, 0), await businessAt(db, BUSINESSES / 2)];
    const year = { from: '2025-11-01', to: TODAY };
    await measureAll(db, [
      statement(db, 'client (middle)', selectOwnFigures(middle, year).compile(db)),
      statement(db, 'client (largest)', selectOwnFigures(largest, year).compile(db)),
      statement(db, 'staff, 12 weeks', selectAllFigures({ from: '2026-08-10', to: TODAY }).compile(db)),
    ]);
  },
);

/** The end of the filling with paid-out applications. */
const NOW = new Date('2026-10-31T09:00:00Z');

await onFilledDatabase(
  async (db) => {
    await fillPaid(db, { invoices: ROWS, businesses: BUSINESSES, undecided: 1000 }, NOW);
    await fillJournal(db, ROWS);
  },
  async ({ db }) => {
    const { id: largest } = await businessAt(db, 0);
    const weeks = { from: '2026-08-10', to: TODAY };
    await measureAll(db, [
      statement(db, 'client (largest), due next', selectDueNext(largest).compile(db)),
      statement(db, 'staff, what is out', selectBook(TODAY).compile(db)),
      statement(db, 'staff, due by week', selectDue(weeks).compile(db)),
      statement(db, 'staff, collected by week', selectCollected(weeks).compile(db)),
      statement(db, 'staff, fees by month', selectEarned({ from: '2025-11-01', to: TODAY }).compile(db)),
      ...(['cashBank', 'feeIncome'] as const).map((account) => ({
        name: `a page of the account ${account}`,
        run: async () =>
          (await selectAccountLines(db, { account, currency: 'UGX', before: undefined, limit: 51 })).length,
        statements: [],
      })),
    ]);
  },
);
