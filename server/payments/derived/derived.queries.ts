import { sql } from 'kysely';
import type { ChargedDay, Pause } from '#contract/payments/derived/late-charge.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import type { Connection } from '#server/db/database.ts';
import { isOwed, isPastDue } from '#server/invoices/invoices.service.ts';
import type { SweptPage } from '#server/jobs/sweeping.ts';

/** Late advances with late charges, but no charge of today in force; by the index `invoices_due`. */
export function selectUncharged(connection: Connection, { today, after, limit }: SweptPage) {
  return connection
    .selectFrom('invoices')
    .where(isOwed)
    .where(isPastDue(today))
    .where('late_charge_bps', '>', 0)
    .where('id', '>', after)
    .where(
      sql<boolean>`not exists (select from journal_entries as entry
        left join journal_entries as counter on counter.reverses = entry.id
        where entry.invoice_id = invoices.id and entry.kind = 'lateCharge' and entry.reverses is null
          and entry.occurred_on = ${today} and counter.id is null)`,
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
    where invoice_id = ${invoiceId}`.execute(connection);
  return rows.map(({ from, until }) => ({ from: kampalaDate(from), until: until && kampalaDate(until) }));
}

/** The days that were charged since a disbursement, also where the charge was reversed. */
export function selectChargedDays(
  connection: Connection,
  { invoiceId, id }: { readonly invoiceId: number; readonly id: number },
): Promise<ChargedDay[]> {
  return connection
    .selectFrom('journal_entries')
    .where('invoice_id', '=', invoiceId)
    .where('kind', '=', 'lateCharge')
    .where('reverses', 'is', null)
    .where('id', '>', id)
    .groupBy('occurred_on')
    .select(['occurred_on as date', (of) => of.fn.min('recorded_at').as('at')])
    .execute();
}
