import { referenceKey } from '#contract/payments/reference-key.ts';
import type { CountedReference } from '#contract/payments/references/used-reference.ts';
import type { ReceiptBody } from '#contract/payments/schema.ts';
import type { Changing } from '#server/changes/change.ts';
import { recordEvent } from '#server/changes/change.ts';
import { together } from '#server/db/together.ts';
import type { Change } from '#server/db/transaction.ts';
import type { StandingRow } from '#server/journal/journal.queries.ts';
import { postOutside } from '#server/journal/journal.service.ts';
import { isOnStatement, lockRail, selectKnownLine, selectReferenceUses } from './arrived.queries.ts';

/** Keeps typed receipts apart from money on statements (docs/decisions/0050-money-that-comes.md). */

/** What counts money under a reference. Nothing else counts money of its rail until the transaction ends. */
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
 * After the reversal of a typed receipt: if a statement proves that the money came, and no other receipt in force
 * accounts for it, moves it into suspense.
 */
export async function returnToSuspense(
  work: Changing,
  { id, kind, method, lineId }: Pick<StandingRow, 'id' | 'kind' | 'method' | 'lineId'>,
): Promise<void> {
  const { change } = work;
  if (kind !== 'receipt' || lineId !== null || method === null) return;
  // Excludes an import that finds this receipt, and the reversal of another one of the same line.
  await lockRail(change, method);
  const line = await selectKnownLine(change, id);
  if (line === undefined) return;
  const { providerId: reference, date, amount } = line;
  const entry = postOutside(work, line, { kind: 'arrival', amount, date, reference });
  recordEvent(work, 'statementLine.arrived', ['statementLine', line.tag], { after: { entry } });
}
