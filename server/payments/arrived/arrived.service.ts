import type { CashMethod } from '#contract/journal/accounts.ts';
import { referenceKey } from '#contract/payments/reference-key.ts';
import { type Change, recordEvent } from '#server/db/change.ts';
import { together } from '#server/db/together.ts';
import { fieldError } from '#server/http/app-error.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import { postOutside, type StandingRow } from '#server/journal/journal.service.ts';
import { isCountedRequest, isOnStatement, lockRail, selectKnownLine } from './arrived.queries.ts';

export { lockRail } from './arrived.queries.ts';

/** Keeps typed receipts apart from money on statements (docs/decisions/0050-money-that-comes.md). */

const ARRIVED = 'This came with a statement. Assign it under Arrived Money';
const ASKED_FOR = 'The client paid this with Pay now. We have counted it already';

/**
 * Throws PAYMENT_RECORDED for a receipt that a statement shows (officers assign it instead), or that came from a request
 * to pay. Blocks imports of the rail until the transaction ends.
 */
export async function refuseArrived(
  change: Change,
  { method, reference }: { readonly method: CashMethod; readonly reference: string },
): Promise<void> {
  const key = referenceKey(reference);
  const [, isThere, isAskedFor] = await together(
    lockRail(change, method, 'shared'),
    isOnStatement(change, method, key),
    isCountedRequest(change, method, key),
  );
  if (isThere) throw fieldError('PAYMENT_RECORDED', 'reference', ARRIVED);
  if (isAskedFor) throw fieldError('PAYMENT_RECORDED', 'reference', ASKED_FOR);
}

/**
 * After the reversal of a typed receipt: if a statement proves that the money came, and no other receipt in force
 * accounts for it, moves it into suspense.
 */
export async function returnToSuspense(
  change: Change,
  caller: SignedInCaller,
  { id, kind, method, lineId }: Pick<StandingRow, 'id' | 'kind' | 'method' | 'lineId'>,
): Promise<void> {
  if (kind !== 'receipt' || lineId !== null || method === null) return;
  // Excludes an import that finds this receipt, and the reversal of another one of the same line.
  await lockRail(change, method, 'exclusive');
  const line = await selectKnownLine(change, id);
  if (line === undefined) return;
  const { providerId: reference, date, amount } = line;
  const entry = postOutside(change, caller, line, { kind: 'arrival', amount, date, reference });
  recordEvent(change, caller, 'statementLine.arrived', ['statementLine', line.tag], { after: { entry } });
}
