import { fill } from '#bench/fills/invoice-list.fill.ts';
import { selectAllFigures, selectOwnFigures } from '#server/figures/figures.queries.ts';
import { BUSINESSES, businessAt, measureAll, onFilledDatabase, ROWS, statement } from './plans.ts';

/**
 * What the dashboards' figures cost with a million applications of a thousand businesses
 * (docs/decisions/0010-figures.md).
 *
 *   node bench/plans/figures.ts [invoices] [--plans] [--generic]
 */

/** The last day that is filled. */
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
