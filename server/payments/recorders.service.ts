import type { Recorders } from '#contract/payouts/officers.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import type { Connection } from '#server/db/database.ts';
import { gather } from '#server/db/together.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { selectPreparer, selectRecorded } from './payments.queries.ts';

/** What the caller has recorded on an invoice, and what the preparer of its open payout has. */
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
