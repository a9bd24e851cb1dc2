import type { CashMethod } from '#contract/journal/accounts.ts';
import { referenceKey } from '#contract/payments/reference-key.ts';
import { type Change, recordEvent } from '#server/db/change.ts';
import { together } from '#server/db/together.ts';
import { fieldError } from '#server/http/app-error.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import { postOutside, type StandingRow } from '#server/journal/journal.service.ts';
import { holdRail, isOnStatement, selectKnownLine } from './arrived.queries.ts';

export { holdRail } from './arrived.queries.ts';

/** What an officer's own receipts have to do with money that arrived by a statement (docs/decisions/0050-money-that-comes.md). */

const ARRIVED = 'This came with a statement. Assign it under Arrived money';

/** Throws PAYMENT_RECORDED for a receipt that a statement has: it is assigned, not typed. Imports of the rail wait meanwhile. */
export async function refuseArrived(
  change: Change,
  { method, reference }: { readonly method: CashMethod; readonly reference: string },
): Promise<void> {
  const [, isThere] = await together(
    holdRail(change, method, 'shared'),
    isOnStatement(change, method, referenceKey(reference)),
  );
  if (isThere) throw fieldError('PAYMENT_RECORDED', 'reference', ARRIVED);
}

/**
 * After the reversal of a receipt that an officer typed: where a statement proves that the money came, and no other receipt
 * in force accounts for it, it is in suspense from now on.
 */
export async function returnToSuspense(
  change: Change,
  caller: SignedInCaller,
  { id, kind }: Pick<StandingRow, 'id' | 'kind'>,
): Promise<void> {
  if (kind !== 'receipt') return;
  const line = await selectKnownLine(change, id);
  if (line === undefined) return;
  const { providerId: reference, date, amount } = line;
  const entry = postOutside(change, caller, line, { kind: 'arrival', amount, date, reference });
  recordEvent(change, caller, {
    action: 'statementLine.arrived',
    subjectType: 'statementLine',
    subjectTag: line.tag,
    after: { entry },
  });
}
