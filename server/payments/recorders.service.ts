import { type EntryKind, refusalOfRecorder } from '#contract/payments/balance.ts';
import type { Connection } from '#server/db/database.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import { selectOwnEntries } from './payments.queries.ts';

/** Why the caller must leave a payment of that kind on an invoice to another officer, or undefined. */
export async function findRecorderRefusal(
  connection: Connection,
  { person }: Pick<SignedInCaller, 'person'>,
  invoiceId: number,
  kind: EntryKind,
): Promise<ReturnType<typeof refusalOfRecorder>> {
  return refusalOfRecorder(kind, await selectOwnEntries(connection, invoiceId, person.id));
}
