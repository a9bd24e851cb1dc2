import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';
import { CALLERS } from './callers.fill.ts';

/**
 * Applications for the changing calls of the main job and the desk: each client of callers.fill.ts gets a verified payout account and,
 * `each` times, a draft that can be submitted and a paid-out application.
 */

/** The phases of an application that the fill makes. */
export type Phase = 'ready' | 'paidOut';

/** The tag of a client's application, both counted from 0. */
export function tagExpression(phase: Phase): string {
  return `md5('${phase}-' || client || '-' || n)::uuid`;
}

export async function addCases(db: Database, each: number): Promise<void> {
  const clients = sql.lit(CALLERS);
  await sql`insert into payout_accounts (business_id, provider, number, holder_name, added_at, added_by, verified_at, verified_by)
    select client.business_id, 'mtn', '0772' || substr(client.username, 5), 'Sarah Nabirye', timestamptz '2026-01-01',
      client.id, timestamptz '2026-01-01', (select min(id) from persons where permissions = array['KSTAF'])
    from persons as client where client.permissions = array['BIDA']`.execute(db);
  // On distant days and with different amounts, so that none looks like a duplicate.
  for (const [phase, day] of [
    ['ready', '2026-11-01'],
    ['paidOut', '2026-09-01'],
  ] as const) {
    const tag = sql.raw(tagExpression(phase));
    await sql`insert into invoices (tag, business_id, buyer_id, currency_id, invoice_number, invoice_number_key,
        invoice_date, face_value, status, listed_on, created_at, created_by, application_tag, application_version,
        application_reference, application_date, advance, financing_period_id, tenor_days, fee_rate_bps, discount_fee,
        net_proceeds)
      select ${tag}, client + 1, 1001 + client, 1, ${sql.lit(phase)} || '-' || client || '-' || n,
        ${sql.lit(phase)} || '-' || client || '-' || n, ${sql.lit(day)}::date, 2000000 + 45000 * n, 'Draft', date '2026-11-01',
        timestamptz '2026-11-01', 1, gen_random_uuid(), 1, gen_random_uuid(), date '2026-11-01', 100000, 3, 30, 1100,
        11000, 89000
      from generate_series(0, ${clients} - 1) as client, generate_series(0, ${sql.lit(each)} - 1) as n`.execute(db);
  }
  await payOut(db);
  await sql`vacuum (analyze)`.execute(db);
}

/** Pays the applications out: the cash has left, the fee is not earned yet. */
async function payOut(db: Database): Promise<void> {
  await db.inTransaction(async (change) => {
    await sql`update invoices set status = 'Disbursed', submitted_at = created_at, submitted_by = 1,
        decision_target_ms = 14400000, clock_used_ms = 0, decided_at = created_at, decided_by = 1, due_on = date '2026-12-31',
        paid_out_on = date '2026-11-01', outstanding = advance, surplus_owed = 0
      where invoice_number like 'paidOut-%'`.execute(change);
    await sql`insert into journal_entries (invoice_id, currency_id, kind, amount, occurred_on, method, reference,
        recorded_at, recorded_by)
      select id, 1, 'disbursement', net_proceeds, date '2026-11-01', 'mtn', 'OUT-' || id, created_at, 1
      from invoices where invoice_number like 'paidOut-%' order by id`.execute(change);
    await sql`insert into journal_lines (entry_id, account, amount)
      select entry.id, account, case account when 'advances' then advance when 'cashMtn' then -net_proceeds else -discount_fee end
      from journal_entries as entry join invoices on invoices.id = entry.invoice_id,
        unnest(array['advances', 'cashMtn', 'feesNotEarned']) as account
      where invoice_number like 'paidOut-%'`.execute(change);
  });
}

/**
 * The mandatory documents of the drafts, without files. They are added once the server runs, because it would not start
 * with rows of documents and an empty store.
 */
export const ADD_DOCUMENTS = `
  insert into documents (invoice_id, document_type_id, storage_key, file_name, media_type, size_bytes, sha256,
    stored_sha256, uploaded_at, uploaded_by)
  select invoices.id, type.id, 'filled/' || invoices.id || '-' || type.id, 'scan.pdf', 'application/pdf', 1000, hash, hash,
    timestamptz '2026-11-01', 1
  from invoices join document_types as type on type.mandatory,
    sha256(convert_to(invoices.id || '-' || type.id, 'UTF8')) as hash
  where invoice_number like 'ready-%'`;
