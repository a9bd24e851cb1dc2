import { randomBytes, randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { anchorAudit } from '#server/audit/audit.service.ts';
import type { Connection } from '#server/db/database.ts';
import { asSystem } from '#server/db/row-scope.ts';
import { buildInvoice } from '#testing/builders.ts';
import { buildAskedCase, buildSettledCase, type CaseClient } from '#testing/case-builders.ts';
import type { TestApp } from '#testing/test-app.ts';

/** A table under row-level security, and what the unscoped test statements need. */
export interface SecuredTable {
  readonly name: string;
  /** The columns that a statement may write. */
  readonly columns: readonly string[];
  /** The positions (ctid) of the rows that existed before the client; all of them belong to others. */
  readonly foreign: readonly string[];
}

/** Fills every table under row-level security with rows of a client or of the server itself. */
export async function fillEveryTable(app: TestApp): Promise<CaseClient> {
  const { db } = app.platform;
  const { client, officer } = await buildSettledCase(app);
  const asked = await buildAskedCase(app, { client, officer, typeIds: [4] });
  await client.caller.post('/guid', undefined, { 'idempotency-key': randomUUID() });
  const limits = `/businesses/${await tagOfBusiness(app, client)}/limits`;
  // The second one needs two officers, so it becomes a proposal.
  for (const limit of [40_000_000, 60_000_000])
    await officer.caller.post(
      limits,
      { currencyId: 1, limit, reason: 'It has grown' },
      { 'idempotency-key': randomUUID() },
    );
  const other = await buildInvoice(app, client.person);
  const now = app.clock.now();
  const secret = randomBytes(32);
  const { id } = client.person;
  const attempt = randomUUID();
  for (const row of [
    sql`invoice_flags (invoice_id, other_invoice_id, kind, found_at)
      values (${asked.id}, ${other.id}, 'nearNumber', ${now})`,
    sql`flag_acknowledgements (invoice_id, other_invoice_id, kind, reason, acknowledged_at, acknowledged_by)
      values (${asked.id}, ${other.id}, 'nearNumber', 'Another delivery', ${now}, ${officer.person.id})`,
    sql`payout_choices (invoice_id, account_id, chosen_at, chosen_by)
      select ${asked.id}, id, ${now}, ${id} from payout_accounts where business_id = ${client.person.businessId}`,
    sql`transfers (rail, direction, invoice_id, amount, currency, number, label, reference, state, created_at, created_by,
      next_ask_at) values ('mtn', 'in', ${asked.id}, 1, 'UGX', '0772123456', 'A', gen_random_uuid(), 'released', ${now},
      ${id}, ${now})`,
    sql`reset_grants (token_hash, person_id, expires_at) values (${secret}, ${id}, ${now})`,
    sql`second_factors (person_id, secret, set_up_at, last_step) values (${id}, ${secret}, ${now}, 1)`,
    sql`second_factor_enrolments (person_id, secret, expires_at) values (${id}, ${secret}, ${now})`,
    sql`recovery_codes (person_id, code_digest) values (${id}, ${secret})`,
    sql`second_steps (token_hash, person_id, expires_at) values (${secret}, ${id}, ${now})`,
    sql`code_attempts (id, purpose, recipient, person_id, code_digest, code_expires_at, created_at)
      values (${attempt}, 'reset', ${client.person.username}, ${id}, ${secret}, ${now}, ${now})`,
    sql`code_handles (token_hash, attempt_id, expires_at) values (${secret}, ${attempt}, ${now})`,
    sql`code_budgets (recipient, touched_at) values (${client.person.username}, ${now})`,
    sql`login_throttles (username_digest, last_failed_at) values (${secret}, ${now})`,
    sql`address_limits (key, points, expire) values ('an address', 1, ${now.getTime()})`,
    sql`pending_files (storage_key, started_at) values ('pending', ${now})`,
    sql`discarded_files (storage_key) values ('discarded')`,
    sql`drawn_letters (digest, content, seal, asked_at) values (${secret}, 'a letter'::bytea, ${secret}, ${now})`,
    sql`store_findings (storage_key, finding, found_at) values ('found', 'orphan', ${now})`,
    sql`unfinished_uploads (person_id, invoice_id, document_type_id, file_name, size_bytes, sha256, touched_at)
      values (${id}, ${asked.id}, 4, 'statement.pdf', 9, ${secret}, ${now})`,
    sql`repayment_reminders (invoice_id, due_on, day, at, told) values (${asked.id}, '2026-12-21', 0, ${now}, 1)`,
    sql`ledger_entries (invoice_id, kind, amount, paid_on, method, reference, recorded_at, recorded_by)
      values (${asked.id}, 'surplus', 1, '2026-11-20', 'bank', 'of 1.0.0', ${now}, ${id})`,
    sql`write_off_proposals (invoice_id, amount, reason, proposed_at, proposed_by)
      values (${asked.id}, 1, 'The buyer is gone', ${now}, ${id})`,
    sql`collection_entries (invoice_id, kind, at, by_person, note, day)
      values (${asked.id}, 'buyerLate', ${now}, ${id}, 'They pay in January', '2027-01-05')`,
    sql`counter_offers (invoice_id, offered_at, offered_by, needs_two, advance, financing_period_id, tenor_days,
      fee_rate_bps, discount_fee, net_proceeds, reason)
      values (${asked.id}, ${now}, ${officer.person.id}, false, 100, 2, 15, 700, 7, 93, 'The buyer pays sooner')`,
    sql`counter_offer_acceptances (offer_id, version, facts, accepted_at, accepted_by)
      select id, '3-f', '{}', ${now}, ${id} from counter_offers`,
    sql`extensions (invoice_id, financing_period_id, tenor_days, reason, asked_at, asked_by)
      values (${asked.id}, 2, 15, 'The buyer pays late', ${now}, ${id})`,
    sql`buyer_requests (business_id, name, requested_at, requested_by)
      values (${client.person.businessId}, 'Kampala City Traders', ${now}, ${id})`,
    sql`payout_batches (number, rail, currency, from_number, from_name, payout_count, total, sha256, made_at, made_by)
      values (1, 'bank', 'UGX', '9030009999999', 'Kasente Ltd', 1, 5, ${secret}, ${now}, ${officer.person.id})`,
    sql`statements (rail, currency_id, file_name, sha256, from_on, until_on, line_count, new_count, received, sent, imported_at,
      imported_by) values ('mtn', 1, 'a.csv', ${secret}, '2026-11-20', '2026-11-20', 1, 1, 5, 0, ${now}, ${officer.person.id})`,
    sql`statement_lines (statement_id, rail, currency_id, place, provider_id, occurred_on, amount, details)
      select id, rail, currency_id, 2, 'L1', from_on, 5, '' from statements`,
    sql`matched_statements (statement_id, matched_at) select id, ${now} from statements`,
    sql`contradictions (line_id, statement_id) select line.id, statements.id from statement_lines as line, statements`,
    sql`statement_lines (statement_id, rail, currency_id, place, provider_id, occurred_on, amount, details)
      select id, rail, currency_id, 3, 'L2', from_on, 5, '' from statements`,
    sql`possible_repeats (line_id, of_line_id) select max(id), min(id) from statement_lines`,
    sql`suspense (line_id, amount) select id, 5 from statement_lines`,
    sql`known_receipts (entry_id, line_id) select entry.id, line.id from journal_entries as entry, statement_lines as line
      where kind = 'receipt' and provider_id = 'L1'`,
    sql`suspense_returns (line_id, amount, reason, proposed_at, proposed_by)
      select id, 5, 'By mistake', ${now}, ${officer.person.id} from statement_lines`,
    sql`statement_withdrawals (statement_id, reason, proposed_at, proposed_by)
      select id, 'By mistake', ${now}, ${officer.person.id} from statements`,
    sql`reconciled_days (rail, currency_id, day, by_statement, by_journal, closed_at, closed_by)
      values ('mtn', 1, '2026-11-20', 5, 5, ${now}, ${officer.person.id})`,
    sql`explained_differences (rail, currency_id, day, difference, reason, explained_at, explained_by)
      values ('mtn', 1, '2026-11-20', 'late', 'The bank was closed', ${now}, ${officer.person.id})`,
    sql`provider_records (transfer_id, asked_at, said) select id, ${now}, 'PENDING' from transfers`,
    sql`transfer_endings (transfer_id, outcome, reason, said, proposed_at, proposed_by)
      select id, 'notPaid', 'They say so', 'PENDING', ${now}, ${officer.person.id} from transfers`,
    sql`reconciliation_news (day, told_at, differences) values ('2026-11-20', ${now}, 1)`,
    sql`upload_parts (upload_id, part, content) select id, 0, 'the bytes'::bytea from unfinished_uploads`,
  ]) {
    await sql`insert into ${row}`.execute(db);
  }
  await anchorAudit(app.platform);
  return client;
}

async function tagOfBusiness(app: TestApp, { person }: CaseClient): Promise<string> {
  const { tag } = await app.platform.db
    .selectFrom('businesses')
    .select('tag')
    .where('id', '=', person.businessId)
    .executeTakeFirstOrThrow();
  return tag;
}

/** The catalogue's data about all our tables. */
export async function tablesOf(connection: Connection): Promise<{ name: string; secured: boolean }[]> {
  const { rows } = await sql<{ name: string; secured: boolean }>`
    select relname as name, relrowsecurity as secured from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') order by relname`.execute(connection);
  return rows;
}

export async function securedTables(connection: Connection): Promise<SecuredTable[]> {
  const secured = (await tablesOf(connection)).filter((table) => table.secured);
  return Promise.all(
    secured.map(async ({ name }) => ({
      name,
      columns: await writableColumns(connection, name),
      foreign: await placesOf(connection, sql.table(name)),
    })),
  );
}

async function writableColumns(connection: Connection, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0
      and not attisdropped and attgenerated = '' and attidentity = '' order by attnum`.execute(connection);
  return rows.map(({ name }) => name);
}

async function placesOf(connection: Connection, rows: RawBuilder<unknown>): Promise<string[]> {
  const found = await sql<{ place: string }>`select ctid::text as place from ${rows}`.execute(connection);
  return found.rows.map(({ place }) => place);
}

/** The effect of a client's unscoped statements on a table. */
export interface Reach {
  /** The positions of the foreign rows that a select returned. */
  readonly seen: readonly string[];
  /** How many foreign rows an update and a delete changed. */
  readonly updated: number;
  readonly deleted: number;
  /** Whether a copy of a foreign row could be inserted. */
  readonly inserted: boolean;
}

/** Runs every unscoped statement on a table as the client, in a transaction that is rolled back. */
export async function reachInto(connection: Connection, { name, columns, foreign }: SecuredTable): Promise<Reach> {
  const table = sql.table(name);
  const shown = await placesOf(connection, table);
  const column = sql.ref(columns[0] ?? '');
  const left = async (): Promise<number> => {
    const places = await asSystem('session', () => placesOf(connection, table));
    return foreign.filter((place) => !places.includes(place)).length;
  };
  const updated = await undone(connection, sql`update ${table} set ${column} = ${column}`, left);
  const deleted = await undone(connection, sql`delete from ${table}`, left);
  return {
    seen: shown.filter((place) => foreign.includes(place)),
    updated: updated ?? 0,
    deleted: deleted ?? 0,
    inserted: (await insertCopy(connection, name, columns)) !== 'refused',
  };
}

/**
 * Undefined if PostgreSQL refused the statement, because of a trigger of an append-only table or a reference to the
 * row.
 */
async function undone<Result>(
  connection: Connection,
  statement: RawBuilder<unknown>,
  look: () => Promise<Result>,
): Promise<Result | undefined> {
  await sql`savepoint before`.execute(connection);
  try {
    await statement.execute(connection);
    return await look();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return undefined;
  } finally {
    await sql`rollback to savepoint before`.execute(connection);
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** Inserts a copy of a foreign row, including its keys. The policy refuses it before the keys are checked. */
async function insertCopy(
  connection: Connection,
  name: string,
  columns: readonly string[],
): Promise<'refused' | 'taken' | 'added'> {
  const row = await asSystem('session', () =>
    sql<{ row: unknown }>`select to_jsonb(source) as row from ${sql.table(name)} as source limit 1`.execute(connection),
  );
  const list = sql.join(columns.map((column) => sql.ref(column)));
  await sql`savepoint before`.execute(connection);
  try {
    await sql`insert into ${sql.table(name)} (${list})
      select ${list} from jsonb_populate_record(null::${sql.table(name)}, ${JSON.stringify(row.rows[0]?.row)}::jsonb)`.execute(
      connection,
    );
    return 'added';
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return error.code === INSUFFICIENT_PRIVILEGE ? 'refused' : 'taken';
  } finally {
    await sql`rollback to savepoint before`.execute(connection);
  }
}
