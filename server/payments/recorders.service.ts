import type { EntryKind } from '#contract/payments/balance.ts';
import type { Recorders } from '#contract/payouts/officers.ts';
import { refusalOfRelease } from '#contract/payouts/release.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import type { Connection } from '#server/db/database.ts';
import { gather } from '#server/db/together.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { selectPreparer, selectRecorded } from './payments.queries.ts';

/** What the caller, and who prepared the open payout, recorded on an invoice. */
export async function findRecorders(
  connection: Connection,
  { person }: Pick<SignedInCaller, 'person'>,
  { id: invoiceId }: Pick<InvoiceRecord, 'id'>,
): Promise<Recorders> {
  const { recorded, preparedBy } = await gather({
    recorded: selectRecorded(connection, invoiceId),
    preparedBy: selectPreparer(connection, invoiceId),
  });
  const recorder = (id: number) => ({ id, own: recorded.filter(({ recordedBy }) => recordedBy === id) });
  return { releaser: recorder(person.id), preparer: preparedBy === undefined ? undefined : recorder(preparedBy) };
}

/** Why the caller must leave a payment on an invoice to another officer, or undefined. */
export async function findRecorderRefusal(
  connection: Connection,
  caller: Pick<SignedInCaller, 'person'>,
  invoice: Pick<InvoiceRecord, 'id' | 'case'>,
  kind: EntryKind,
): Promise<ReturnType<typeof refusalOfRelease>> {
  if (kind === 'receipt') return undefined;
  return refusalOfRelease(kind, invoice.case, await findRecorders(connection, caller, invoice));
}
