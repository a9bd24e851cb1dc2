import { fromMinor } from '#contract/money.ts';
import { fillBatch, type PayoutBatch, type PayoutBatches } from '#contract/transfers/batches.ts';
import type { BatchRow, selectWaiting } from './batches.queries.ts';

/** Presents a batch. */
export function presentBatch(row: BatchRow): PayoutBatch {
  const { tag, number, currency, madeBy, open } = row;
  return {
    tag,
    number,
    currency,
    madeBy,
    open,
    count: row.payoutCount,
    amount: fromMinor(row.total),
    sha256: row.sha256.toString('hex'),
    madeAt: row.madeAt.toISOString(),
  };
}

/** Presents the payouts for the next files, by rail and currency. */
export function presentWaiting(rows: Awaited<ReturnType<typeof selectWaiting>>): PayoutBatches['waiting'] {
  const groups = Map.groupBy(rows, ({ rail, currency }) => `${rail} ${currency}`);
  return [...groups.values()].flatMap((group) => {
    const { payouts, total } = fillBatch(group);
    const [first] = payouts;
    if (first === undefined) return [];
    const { rail, currency } = first;
    return [{ rail, currency, count: payouts.length, amount: fromMinor(total) }];
  });
}
