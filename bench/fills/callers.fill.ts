import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';

/**
 * The callers of the benches: 64 clients, of the businesses with the most invoices, and 64 officers. Each has a session with a known
 * token; each client has two drafts for the server and two for pgbench, so that no caller waits for another's row.
 */

export const CALLERS = 64;

/** The session token of a client or an officer, counted from 0. */
export function tokenOf(kind: 'client' | 'staff', caller: number): string {
  return `${kind}-${caller}`;
}

/** The drafts' face value, which allows every advance of seven digits. */
const FACE_VALUE = 99_000_000;

export async function addCallers(db: Database): Promise<void> {
  const callers = sql.lit(CALLERS);
  // Added before all other people, so that they have the first ids.
  await sql`insert into persons (username, username_kind, password_hash, status, permissions, first_name, last_name,
      gender, phone, business_id, created_at)
    select '0701' || lpad(n::text, 6, '0'), 'phone', 'none', 'Active', array['BIDA'], 'Client', 'No ' || n, 'female',
      '0701' || lpad(n::text, 6, '0'), n + 1, timestamptz '2020-01-01'
    from generate_series(0, ${callers} - 1) as n`.execute(db);
  await sql`insert into persons (username, username_kind, password_hash, status, permissions, first_name, last_name,
      gender, phone, created_at)
    select '0702' || lpad(n::text, 6, '0'), 'phone', 'none', 'Active', array['KSTAF'], 'Officer', 'No ' || n, 'male',
      '0702' || lpad(n::text, 6, '0'), timestamptz '2020-01-01'
    from generate_series(0, ${callers} - 1) as n`.execute(db);
  for (const side of ['limit', 'server']) for (const saved of [false, true]) await addDrafts(db, side, saved);
  await sql`vacuum (analyze)`.execute(db);
}

/** Adds a draft for each client: an invoice alone, or with a saved application. Its number determines its tag. */
async function addDrafts(db: Database, side: string, saved: boolean): Promise<void> {
  const name = sql.lit(`${side}-${saved ? 'application' : 'invoice'}-`);
  const callers = sql.lit(CALLERS);
  const faceValue = sql.lit(FACE_VALUE);
  await sql`insert into invoices (tag, business_id, buyer_id, currency_id, invoice_number, invoice_number_key,
      invoice_date, face_value, status, listed_on, created_at, created_by)
    select md5(${name} || n)::uuid, n + 1, 1001 + n, 1, 'DRAFT ' || ${name} || n, 'draft-' || ${name} || n,
      date '2026-01-05', ${faceValue}, 'Draft', date '2026-11-01', timestamptz '2026-11-01', 1
    from generate_series(0, ${callers} - 1) as n`.execute(db);
  if (!saved) return;
  await sql`update invoices set application_tag = md5('of ' || tag)::uuid, application_version = 1,
      application_reference = md5('ref ' || tag)::uuid, application_date = date '2026-11-01', advance = 1000000,
      financing_period_id = 3, tenor_days = 30, fee_rate_bps = 1100, discount_fee = 110000, net_proceeds = 890000
    where invoice_number like 'DRAFT ' || ${name} || '%'`.execute(db);
}

/** Opens all sessions now, because in a kept filling they would expire. Officers have passed their second factor. */
export const OPEN_SESSIONS = `
  insert into sessions (token_hash, person_id, created_at, last_active_at, ip, second_factor)
  select sha256(convert_to(case when business_id is null then 'staff-' else 'client-' end || substr(username, 5)::integer, 'UTF8')),
    id, now(), now(), '127.0.0.1', business_id is null
  from persons where username ~ '^070[12]0000'`;
