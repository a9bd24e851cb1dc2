import { referencesIn } from '#contract/statements/matching.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Change } from '#server/db/transaction.ts';
import { lockForSweep } from '#server/invoices/invoices.service.ts';
import { lockRail } from '#server/payments/received/received.queries.ts';
import { payoutOutcome } from '#server/payouts/payout-outcomes.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { endTransfer } from '#server/transfers/following.service.ts';
import { type PaidRow, selectPaid } from './paid-payouts.queries.ts';

/**
 * Ends the payouts by file that a statement shows as paid (docs/decisions/0052-bank-by-file.md): an outgoing line names
 * the payout and no other reference, with exactly its amount. Any other line is a difference of its day. Covers earlier
 * imports too. Returns the number of payouts ended.
 */
export async function endPaidPayouts(platform: Platform): Promise<number> {
  let ended = 0;
  for (const row of await selectPaid(platform.db)) if (isNamed(row) && (await end(platform, row))) ended += 1;
  return ended;
}

/**
 * Whether a statement shows a locked payout by file as paid. Blocks imports for the bank until the transaction ends.
 */
export async function isOnStatement(change: Change, tag: string): Promise<boolean> {
  return (await findOnStatement(change, tag)) !== undefined;
}

/** Also blocks withdrawals of statements. */
async function findOnStatement(change: Change, tag: string): Promise<PaidRow | undefined> {
  await lockRail(change, 'bank');
  return (await selectPaid(change, tag)).find(isNamed);
}

function isNamed({ reference, details }: PaidRow): boolean {
  const { sound } = referencesIn(details);
  return sound.length === 1 && sound[0] === reference;
}

/** Ends one payout in its own transaction, so that a failure does not affect the others. */
async function end(platform: Platform, { tag, invoiceTag }: PaidRow): Promise<boolean> {
  try {
    return await platform.db.inTransaction(async (change) => {
      await lockForSweep(change, invoiceTag);
      // The statement may have been withdrawn since.
      const shown = await findOnStatement(change, tag);
      if (shown === undefined) return false;
      const { providerReference, paidOn } = shown;
      const answer = { state: 'succeeded', said: `On the statement of ${paidOn}`, providerReference, paidOn } as const;
      return endTransfer({ platform, change }, { tag, invoiceTag, asks: 0 }, { outcome: payoutOutcome, answer });
    });
  } catch (error) {
    // The payout stays open, and the line is a difference of its day.
    if (error instanceof AppError)
      platform.log.warn({ transfer: tag, code: error.code }, 'a paid payout was not recorded');
    else platform.log.error({ err: error, transfer: tag }, 'a paid payout could not be recorded');
    return false;
  }
}
