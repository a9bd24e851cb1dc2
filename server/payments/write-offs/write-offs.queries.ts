import { type Insertable, sql } from 'kysely';
import { minorToNumeric } from '#contract/money.ts';
import { recordEvent } from '#server/db/change.ts';
import type { Connection } from '#server/db/database.ts';
import type { WriteOffProposals } from '#server/db/tables/journal-tables.ts';
import type { Change } from '#server/db/transaction.ts';
import type { Actor } from '#server/http/http.ts';
import { personName } from '#server/sessions/person-name.ts';

/** Whether a proposal waits for another officer. */
export const isOpenProposal = sql<boolean>`confirmed_at is null and dropped_at is null`;

/** The open proposal on an invoice; clients see none. */
export function selectOpenProposal(connection: Connection, invoiceId: number) {
  return connection
    .selectFrom('write_off_proposals as proposal')
    .innerJoin('persons', 'persons.id', 'proposal.proposed_by')
    .where('invoice_id', '=', invoiceId)
    .where(isOpenProposal)
    .select(['proposal.id', 'proposal.tag', 'proposal.amount', 'proposal.reason'])
    .select(['proposal.proposed_at as proposedAt', 'proposal.proposed_by as proposedBy'])
    .select(personName('persons').as('proposedByName'))
    .executeTakeFirst();
}
export type OpenProposal = NonNullable<Awaited<ReturnType<typeof selectOpenProposal>>>;

/** Stores a proposal; the index `write_off_proposals_open` allows one for an invoice. */
export function insertProposal(
  change: Change,
  proposal: Pick<Insertable<WriteOffProposals>, 'invoice_id' | 'amount' | 'reason' | 'proposed_at' | 'proposed_by'>,
): void {
  change.send(change.insertInto('write_off_proposals').values(proposal));
}

/** Ends a proposal on a locked invoice. */
export function endProposal(
  change: Change,
  id: number,
  end:
    | { readonly confirmed_at: Date; readonly confirmed_by: number }
    | { readonly dropped_at: Date; readonly dropped_by: number | null },
): void {
  change.send(change.updateTable('write_off_proposals').set(end).where('id', '=', id));
}

/** Drops a proposal on a locked invoice, and records that. */
export function dropProposal(
  change: Change,
  caller: Actor,
  { tag }: { readonly tag: string },
  { id, amount }: Pick<OpenProposal, 'id' | 'amount'>,
): void {
  endProposal(change, id, { dropped_at: caller.now, dropped_by: caller.person?.id ?? null });
  recordEvent(change, caller, 'writeOff.dropped', ['invoice', tag], { after: { amount } });
}

/** Stores the outstanding amount of a locked invoice. */
export function setOutstanding(change: Change, id: number, minor: number): void {
  change.send(
    change
      .updateTable('invoices')
      .set({ outstanding: minorToNumeric(minor) })
      .where('id', '=', id),
  );
}
