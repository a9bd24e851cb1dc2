import { referenceKey } from '#contract/payments/reference-key.ts';
import type { Rail } from '#contract/statements/layouts.ts';
import type { Change } from '#server/db/change.ts';
import { together } from '#server/db/together.ts';
import type { Actor } from '#server/http/http.ts';
import { holdRail } from '#server/payments/arrived/arrived.service.ts';
import type { Account } from '#server/payments/entries.service.ts';
import { type Receipt, receive } from '#server/payments/payments.service.ts';
import type { Platform } from '#server/platform.ts';
import { selectOwnReceipts } from './import.queries.ts';
import { partOf } from './matching.service.ts';
import { selectOpenReturns } from './returns.queries.ts';
import { lockWaiting, selectLineOf } from './waiting.queries.ts';

/** What a provider says was paid, under its own number. */
export type ProvenReceipt = Receipt & { readonly method: Rail; readonly transferId: number };

/**
 * Records what a provider says was paid, unless a statement or an officer's receipt has it under that number: then what of it
 * waits in suspense is credited, and nothing counts twice. Returns the tag of the entry that has the money. Throws what
 * {@link receive} throws.
 */
export async function receiveOnce(
  platform: Platform,
  change: Change,
  caller: Actor,
  account: Account,
  receipt: ProvenReceipt,
): Promise<string> {
  const { currencyId } = account.invoice;
  const { method: rail, reference } = receipt;
  const keys = [referenceKey(reference)];
  // Imports and officers who type receipts of this rail come before or after.
  const [, line, [typed]] = await together(
    holdRail(change, rail, 'alone'),
    selectLineOf(change, { rail, currencyId, key: keys[0] ?? '' }),
    selectOwnReceipts(change, { rail, currencyId, keys }),
  );
  const credited = line && (await creditWaiting(platform, change, caller, account, { receipt, lineTag: line.tag }));
  const known = credited ?? typed?.tag ?? line?.arrivalTag ?? undefined;
  return known ?? (await receive(platform, change, caller, account, receipt)).tag;
}

/** Credits what of a line waits for an officer; the tag of its entry, undefined where nothing does. */
async function creditWaiting(
  platform: Platform,
  change: Change,
  caller: Actor,
  account: Account,
  { receipt, lineTag }: { readonly receipt: ProvenReceipt; readonly lineTag: string },
): Promise<string | undefined> {
  const line = await lockWaiting(change, lineTag);
  if (line === undefined || line.left === 0) return undefined;
  const [open] = await selectOpenReturns(change, [line.id]);
  if (open !== undefined) return undefined; // about to be sent back
  const { payer, from, confirmed } = receipt;
  const amount = Math.min(line.left, receipt.amount);
  const given = { ...partOf(line), amount, payer, ...(from && { from }), ...(confirmed && { confirmed }) };
  return (await receive(platform, change, caller, account, given)).tag;
}
