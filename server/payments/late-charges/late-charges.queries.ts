import { sql } from 'kysely';
import type { Pause } from '#contract/payments/late-charge.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import type { Connection } from '#server/db/database.ts';
import { isOwed, isPastDue } from '#server/invoices/invoices.service.ts';
import type { SweptPage } from '#server/jobs/sweeping.ts';

/** Late advances with late charges, but no charge for today yet; by the index `invoices_due`. */
export function selectUncharged(connection: Connection, { today, after, limit }: SweptPage) {
  return connection
    .selectFrom('invoices')
    .where(isOwed)
    .where(isPastDue(today))
    .where('late_charge_bps', '>', 0)
    .where('id', '>', after)
    .where(
      sql<boolean>`not exists (select from journal_entries as entry where entry.invoice_id = invoices.id
        and entry.kind = 'lateCharge' and entry.reverses is null and entry.occurred_on = ${today})`,
    )
    .select(['id', 'tag'])
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** No day is charged while a buyer disputes the invoice, or a write-off waits for its second officer. */
export async function selectPauses(connection: Connection, invoiceId: number): Promise<Pause[]> {
  const { rows } = await sql<{ from: Date; until: Date | null }>`
    select at as "from", (select min(at) from collection_entries as later
      where later.invoice_id = entry.invoice_id and later.id > entry.id and kind = 'disputeEnded') as "until"
    from collection_entries as entry where invoice_id = ${invoiceId} and kind = 'dispute'
    union all
    select proposed_at, coalesce(confirmed_at, dropped_at) from write_off_proposals
    where invoice_id = ${invoiceId} and kind = 'writeOff'`.execute(connection);
  return rows.map(({ from, until }) => ({ from: kampalaDate(from), until: until && kampalaDate(until) }));
}
