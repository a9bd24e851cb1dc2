import { sql } from 'kysely';
import type { ChargedDay, Pause } from '#contract/payments/derived/late-charge.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import type { Connection } from '#server/db/database.ts';
import { isOwed, isPastDue, lost } from '#server/invoices/due.ts';
import type { SweptPage } from '#server/jobs/sweeping.ts';

/** Whether an advance is late, with late charges, and today's charge is not in force; by the index `invoices_due`. */
function isUncharged(today: string) {
  return sql<boolean>`${isOwed} and ${isPastDue(today)} and late_charge_bps > 0
    and not exists (select from journal_entries as entry
      left join journal_entries as counter on counter.reverses = entry.id
      where entry.invoice_id = invoices.id and entry.kind = 'lateCharge' and entry.reverses is null
        and entry.occurred_on = ${today} and counter.id is null)`;
}

/** Whether less than a whole unit of the currency is owed, so that nothing may be payable. */
const owesFraction = sql<boolean>`invoices.status = 'Disbursed' and invoices.outstanding < 1
  and (invoices.outstanding > 0 or ${lost} between 0.01 and 0.99)`;

/** Whether days before a write-off were charged after it, as releases up to 1.1.0 did. */
const isChargedAfterLoss = sql<boolean>`invoices.status = 'Disbursed' and invoices.outstanding < 1
  and exists (select from journal_entries as off
    join journal_entries as late on late.invoice_id = off.invoice_id and late.kind = 'lateCharge'
    left join journal_entries as counter on counter.reverses = late.id
    where off.invoice_id = invoices.id and off.kind = 'writeOff' and late.reverses is null and counter.id is null
      and late.id > off.id and late.occurred_on <= off.occurred_on)`;

/** Applications whose derived entries may need a correction. */
export function selectUncorrected(connection: Connection, { today, after, limit }: SweptPage) {
  return connection
    .selectFrom('invoices')
    .where('id', '>', after)
    .where((where) => where.or([isUncharged(today), owesFraction, isChargedAfterLoss]))
    .select(['id', 'tag'])
    .orderBy('id')
    .limit(limit)
    .execute();
}

/**
 * The periods in which no day is charged: while a buyer disputes the invoice, or a write-off waits for its second
 * officer.
 */
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

/** The days charged since a disbursement, including those whose charge was reversed. */
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
