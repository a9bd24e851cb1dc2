import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';

/**
 * Who asks in the benches: 64 clients, each of another one of the businesses that have the most invoices, and 64 of the
 * staff. Each has a session whose token is known; each client has two drafts for the server and two for its limit, so that
 * nobody waits for another one's row.
 */

export const CALLERS = 64;

/** The token in the cookie of a client or an officer, counted from 0. */
export function tokenOf(kind: 'client' | 'staff', caller: number): string {
  return `${kind}-${caller}`;
}

/** What stands on drafts: a face value that every advance of seven digits fits. */
const FACE_VALUE = 99_000_000;

export async function addCallers(db: Database): Promise<void> {
  const callers = sql.lit(CALLERS);
  // The others of the filling are made first, so that the first ids are theirs.
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
  for (const { made, saved } of [
    { made: 'limit', saved: false },
    { made: 'limit', saved: true },
    { made: 'server', saved: false },
    { made: 'server', saved: true },
  ])
    await addDrafts(db, made, saved);
  await sql`vacuum (analyze)`.execute(db);
}

/** One for each client: an invoice alone, or an application that was saved. Its tag is known by its number. */
async function addDrafts(db: Database, made: string, saved: boolean): Promise<void> {
  const name = sql.lit(`${made}-${saved ? 'application' : 'invoice'}-`);
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

/** Opens everybody's session now: they would run out in a filling that is kept. Officers have proved their second factor. */
export const OPEN_SESSIONS = `
  insert into sessions (token_hash, person_id, created_at, last_active_at, ip, second_factor)
  select sha256(convert_to(case when business_id is null then 'staff-' else 'client-' end || substr(username, 5)::integer, 'UTF8')),
    id, now(), now(), '127.0.0.1', business_id is null
  from persons where username ~ '^070[12]0000'`;
