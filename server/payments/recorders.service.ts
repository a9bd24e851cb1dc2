import type { EntryKind } from '#contract/payments/balance.ts';
import { refusalOfRelease } from '#contract/payouts/release.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { selectPreparer, selectRecorded } from './payments.queries.ts';

/** Why the caller must leave a payment on an invoice to another officer, or undefined. */
export async function findRecorderRefusal(
  connection: Connection,
  { person }: Pick<SignedInCaller, 'person'>,
  invoice: Pick<InvoiceRecord, 'id' | 'case'>,
  kind: EntryKind,
): Promise<ReturnType<typeof refusalOfRelease>> {
  if (kind === 'receipt') return undefined;
  const [recorded, preparedBy] = await together(
    selectRecorded(connection, invoice.id),
    selectPreparer(connection, invoice.id),
  );
  const recorder = (id: number) => ({ id, own: recorded.filter(({ recordedBy }) => recordedBy === id) });
  const preparer = preparedBy === undefined ? undefined : recorder(preparedBy);
  return refusalOfRelease(kind, invoice.case, { releaser: recorder(person.id), preparer });
}
