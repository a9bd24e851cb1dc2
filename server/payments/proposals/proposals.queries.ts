import { type Insertable, sql } from 'kysely';
import { minorToNumeric } from '#contract/money.ts';
import type { ProposalKind, ReceiptBody } from '#contract/payments/schema.ts';
import type { Actor } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Connection } from '#server/db/database.ts';
import type { WriteOffProposals } from '#server/db/tables/tables.ts';
import type { Change } from '#server/db/transaction.ts';
import { isShownPaid } from '#server/journal/paid-out.queries.ts';
import { personName } from '#server/sessions/person-name.ts';

/** One officer's proposals about an application's money. An application has at most one open proposal. */

/** Whether a proposal waits for another officer. */
export const isOpenProposal = sql<boolean>`confirmed_at is null and dropped_at is null`;

/** The open proposal on an invoice. Clients see none. */
export function selectOpenProposal(connection: Connection, invoiceId: number) {
  return connection
    .selectFrom('write_off_proposals as proposal')
    .innerJoin('persons', 'persons.id', 'proposal.proposed_by')
    .leftJoin('journal_entries as entry', 'entry.id', 'proposal.reversed_entry')
    .where('proposal.invoice_id', '=', invoiceId)
    .where(isOpenProposal)
    .select(['proposal.id', 'proposal.tag', 'proposal.kind', 'proposal.amount', 'proposal.reason'])
    .select(['proposal.proposed_at as proposedAt', 'proposal.proposed_by as proposedBy'])
    .select(['entry.id as entryId', 'entry.tag as entryTag'])
    .select(['proposal.method', 'proposal.reference', 'proposal.reference_confirmed as referenceConfirmed'])
    .select(['proposal.paid_on as paidOn', 'proposal.payer'])
    .select(personName('persons').as('proposedByName'))
    .executeTakeFirst();
}
export type OpenProposal = NonNullable<Awaited<ReturnType<typeof selectOpenProposal>>>;

/** Stores a proposal and its audit event. The index `write_off_proposals_open` allows one for an invoice. */
export function placeProposal(
  work: Changing,
  invoice: { readonly id: number; readonly tag: string },
  proposal: Proposed,
): void {
  const { change, caller } = work;
  const { kind, amount, reason, entry, receipt } = proposal;
  const row: Insertable<WriteOffProposals> = {
    invoice_id: invoice.id,
    kind,
    amount: minorToNumeric(amount),
    reason,
    proposed_at: caller.now,
    proposed_by: caller.person.id,
    reversed_entry: entry?.id ?? null,
    ...(receipt && { method: receipt.method, reference: receipt.reference }),
    ...(receipt?.referenceConfirmed === true && { reference_confirmed: true }),
    ...(receipt && { paid_on: receipt.date, payer: receipt.payer }),
  };
  change.send(change.insertInto('write_off_proposals').values(row));
  const after = { amount, reason, ...(entry && { entry: entry.tag }), ...(receipt && termsOf(receipt)) };
  recordEvent(work, `${kind}.proposed`, ['invoice', invoice.tag], { after });
}

/** A new proposal. `amount` in minor units. */
interface Proposed {
  readonly kind: ProposalKind;
  readonly amount: number;
  readonly reason: string;
  /** The entry to reverse, if the proposal is a reversal. */
  readonly entry?: { readonly id: number; readonly tag: string };
  readonly receipt?: Pick<ReceiptBody, 'method' | 'reference' | 'referenceConfirmed' | 'date' | 'payer'>;
}

function termsOf({ method, reference, date, payer }: NonNullable<Proposed['receipt']>) {
  return { method, reference, date, payer };
}

/** Confirms a proposal on a locked invoice with the entry that it led to, and records an audit event. */
export function markConfirmed(
  work: Changing,
  invoice: { readonly tag: string },
  { id, kind, amount }: Pick<OpenProposal, 'id' | 'kind' | 'amount'>,
  entryTag: string,
): void {
  const { change, caller } = work;
  const entry = kind === 'writeOff' ? {} : { entry_tag: entryTag };
  const end = { confirmed_at: caller.now, confirmed_by: caller.person.id, ...entry };
  change.send(change.updateTable('write_off_proposals').set(end).where('id', '=', id));
  recordEvent(work, `${kind}.confirmed`, ['invoice', invoice.tag], { after: { amount, entry: entryTag } });
}

/** Drops a proposal on a locked invoice, and records an audit event. */
export function dropProposal(
  work: Changing<Actor>,
  { tag }: { readonly tag: string },
  { id, kind, amount }: Pick<OpenProposal, 'id' | 'kind' | 'amount'>,
): void {
  const { change, caller } = work;
  const end = { dropped_at: caller.now, dropped_by: caller.person?.id ?? null };
  change.send(change.updateTable('write_off_proposals').set(end).where('id', '=', id));
  recordEvent(work, `${kind}.dropped`, ['invoice', tag], { after: { amount } });
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

/**
 * The open proposals that a statement or provider has settled: reversals of payments that did leave, and receipts that
 * a statement already has.
 */
export function selectDecided(connection: Connection) {
  return connection
    .selectFrom('write_off_proposals as proposal')
    .leftJoin('journal_entries as entry', 'entry.id', 'proposal.reversed_entry')
    .innerJoin('invoices', 'invoices.id', 'proposal.invoice_id')
    .where(isOpenProposal)
    .where(
      sql<boolean>`(${isShownPaid} or exists (select from statement_lines as line
        where line.rail = proposal.method and line.amount > 0
          and line.reference_key = reference_key(proposal.reference)))`,
    )
    .select(['invoices.tag', 'proposal.id'])
    .execute();
}

/**
 * The sum of a client's typed receipts in force, recorded since a moment, that no statement, provider or second officer
 * confirms.
 */
export async function sumAlone(
  connection: Connection,
  { businessId, currencyId, since }: { readonly businessId: number; readonly currencyId: number; readonly since: Date },
): Promise<number> {
  const { sum } = await connection
    .selectFrom('journal_entries as entry')
    .innerJoin('invoices', 'invoices.id', 'entry.invoice_id')
    .leftJoin('journal_entries as counter', 'counter.reverses', 'entry.id')
    .where('invoices.business_id', '=', businessId)
    .where('entry.currency_id', '=', currencyId)
    .where('entry.kind', '=', 'receipt')
    .where('entry.reverses', 'is', null)
    .where('counter.id', 'is', null)
    .where('entry.statement_line_id', 'is', null)
    .where('entry.transfer_id', 'is', null)
    .where('entry.recorded_at', '>', since)
    .where(
      sql<boolean>`not exists (select from known_receipts as known join statement_lines as line on line.id = known.line_id
          where known.entry_id = entry.id)
        and not exists (select from write_off_proposals as proposal where proposal.entry_tag = entry.tag)`,
    )
    .select(sql<number>`coalesce(sum(entry.amount), 0.00)`.as('sum'))
    .executeTakeFirstOrThrow();
  return sum;
}

/** Serialises a client's typed receipts, so that two at the same time cannot both use the same allowance. */
export async function lockTyped(change: Change, businessId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('kasente typed receipts'), ${businessId})`.execute(change);
}
