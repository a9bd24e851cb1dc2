import { referenceKey } from '#contract/payments/reference-key.ts';
import type { CountedReference } from '#contract/payments/references/used-reference.ts';
import type { ReceiptBody } from '#contract/payments/schema.ts';
import type { Changing } from '#server/changes/change.ts';
import { recordEvent } from '#server/changes/change.ts';
import { together } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import type { StandingRow } from '#server/journal/journal.queries.ts';
import { postOutside } from '#server/journal/journal.service.ts';
import { isOnStatement, lockRail, selectKnownLine, selectReferenceUses } from './received.queries.ts';

/**
 * Prevents a payment from counting twice, once typed by an officer and once from a statement
 * (docs/decisions/0050-money-that-comes.md).
 */

/**
 * Finds what already counts money under a reference. Holds the rail's lock, so nothing else counts its money until the
 * transaction ends.
 */
export async function findCounted(
  change: Change,
  { method, reference }: Pick<ReceiptBody, 'method' | 'reference'>,
): Promise<CountedReference> {
  const key = referenceKey(reference);
  const [, onStatement, uses] = await together(
    lockRail(change, method),
    isOnStatement(change, method, key),
    selectReferenceUses(change, method, key),
  );
  return { isOnStatement: onStatement, uses };
}

/**
 * Moves money into suspense after the reversal of a typed receipt, if a statement proves that it came and no other
 * receipt in force accounts for it.
 */
export async function returnToSuspense(
  work: Changing,
  { id, kind, method, lineId }: Pick<StandingRow, 'id' | 'kind' | 'method' | 'lineId'>,
): Promise<void> {
  const { change } = work;
  if (kind !== 'receipt' || lineId !== null || method === null) return;
  // Excludes an import that would find this receipt, and the reversal of another receipt of the same line.
  await lockRail(change, method);
  const line = await selectKnownLine(change, id);
  if (line === undefined) return;
  const { providerId: reference, date, amount } = line;
  const entry = postOutside(work, line, { kind: 'arrival', amount, date, reference });
  recordEvent(work, 'statementLine.arrived', ['statementLine', line.tag], { after: { entry } });
}
