import { sql } from 'kysely';
import type { PendingKind } from '#contract/desk/schema.ts';
import type { Connection } from '#server/db/database.ts';
import { isOwed } from '#server/invoices/due.ts';
import { isUnagreed } from '#server/offers/extensions.queries.ts';
import { isOpenProposal } from '#server/payments/proposals/proposals.queries.ts';
import { personName } from '#server/sessions/person-name.ts';

/**
 * Extensions and proposals that wait for an officer, with the officer who began them; null if only the client has
 * asked.
 */
const begun = sql`(
  select invoice_id, 'moreTime' as kind, offered_by as begun_by from extensions where ${isUnagreed}
  union all
  select invoice_id, kind, proposed_by from write_off_proposals where ${isOpenProposal}) as begun`;

/** Whether an extension of an unpaid advance, or a proposal, waits for an officer. */
export const isPending = sql<boolean>`(invoices.id in (select invoice_id from write_off_proposals where ${isOpenProposal})
  or ${isOwed} and invoices.id in (select invoice_id from extensions where ${isUnagreed}))`;

export interface PendingRow {
  readonly invoiceId: number;
  readonly kind: Exclude<PendingKind, 'approval'>;
  readonly byTag: string | null;
  readonly byName: string | null;
}

/** The extensions and proposals of some advances that wait for an officer. */
export async function selectPending(connection: Connection, invoiceIds: readonly number[]): Promise<PendingRow[]> {
  const { rows } = await sql<PendingRow>`
    select invoice_id as "invoiceId", kind, officer.tag as "byTag", ${personName('officer')} as "byName"
    from ${begun} left join persons as officer on officer.id = begun_by
    where invoice_id = any(${invoiceIds}) order by kind`.execute(connection);
  return rows;
}
