import { type Kysely, sql } from 'kysely';

/**
 * Row-level security (docs/decisions/0019-row-security.md): what a client's connection sees and touches even where a
 * query forgets its scope. The policies read two settings of the transaction, which platform/scoped-pool.ts makes; without
 * them there is no row. They hold for every role but the tables' owner, under which the server itself works.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createScope(db);
  await secureBusinesses(db);
  await securePersons(db);
  await secureInvoices(db);
  await secureRecords(db);
  await letFunctionsSeeAll(db);
}

/** Null where the setting was not made in this transaction, or is empty; a null equals nothing. */
async function createScope(db: Kysely<unknown>): Promise<void> {
  await sql`create function scope_business() returns integer language sql stable parallel safe as
    $$ select nullif(current_setting('kasente.business', true), '')::integer $$`.execute(db);
  await sql`create function scope_person() returns integer language sql stable parallel safe as
    $$ select nullif(current_setting('kasente.person', true), '')::integer $$`.execute(db);
}

async function enable(db: Kysely<unknown>, ...tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await sql`alter table ${sql.table(table)} enable row level security`.execute(db);
  }
}

/**
 * One policy for everything that may be done to a row. `(select …())` is worked out once for a statement, so that an
 * index can be used with it.
 */
async function ownRows(db: Kysely<unknown>, table: string, condition: string): Promise<void> {
  await enable(db, table);
  await sql`create policy own_rows on ${sql.table(table)} using (${sql.raw(condition)})`.execute(db);
}

/**
 * A buyer is everybody's to choose; one that is a buyer no more keeps its name on the invoices that it is on. A column says
 * so, because to look for such invoices at each row would cost more than the rest of the statement.
 */
async function secureBusinesses(db: Kysely<unknown>): Promise<void> {
  await sql`alter table businesses add column ever_buyer boolean not null default false`.execute(db);
  await sql`update businesses set ever_buyer = is_buyer or exists (select from invoices where buyer_id = businesses.id)`.execute(
    db,
  );
  await sql`create function remember_buyer() returns trigger language plpgsql as $$
    begin
      new.ever_buyer := new.is_buyer or new.ever_buyer;
      return new;
    end $$`.execute(db);
  await sql`create trigger businesses_ever_buyer before insert or update on businesses
    for each row execute function remember_buyer()`.execute(db);
  await ownRows(db, 'businesses', 'id = (select scope_business())');
  await sql`create policy buyers on businesses for select using (ever_buyer)`.execute(db);
  // What the policy above lets through, by the index over names: \`like\` may not use one in front of a policy.
  await sql`create function buyers_named(pattern text) returns setof integer
    language sql stable rows 100 as $$
      select id from businesses where ever_buyer and lower(name) like lower(pattern)
    $$`.execute(db);
  await ownRows(db, 'funding_limits', 'business_id = (select scope_business())');
  await ownRows(db, 'row_counts', `list = 'invoices' and scope = (select scope_business())`);
}

async function securePersons(db: Kysely<unknown>): Promise<void> {
  await ownRows(db, 'persons', 'id = (select scope_person())');
  // Colleagues, and who was one when they submitted an application.
  await sql`create policy colleagues on persons for select using (
    business_id = (select scope_business()) or exists (select from invoices where submitted_by = persons.id))`.execute(
    db,
  );
  for (const table of [
    'sessions',
    'devices',
    'reset_grants',
    'second_factors',
    'second_factor_enrolments',
    'recovery_codes',
    'second_steps',
    'idempotency_keys',
  ]) {
    await ownRows(db, table, 'person_id = (select scope_person())');
  }
}

/** What hangs on an invoice is seen with it: the sub-select is under the policy of its own table. */
async function secureInvoices(db: Kysely<unknown>): Promise<void> {
  await ownRows(db, 'invoices', 'business_id = (select scope_business())');
  for (const table of [
    'documents',
    'application_steps',
    'information_requests',
    'key_facts_acceptances',
    'ledger_entries',
  ]) {
    await ownRows(db, table, `exists (select from invoices where invoices.id = ${table}.invoice_id)`);
  }
  await ownRows(
    db,
    'information_request_documents',
    'exists (select from information_requests as request where request.id = request_id)',
  );
}

/** A client adds to the record in their own name and reads none of it; of the rest they have nothing. */
async function secureRecords(db: Kysely<unknown>): Promise<void> {
  await enable(db, 'audit_events', 'audit_anchors', 'audit_anchor_heads', 'invoice_flags', 'messages');
  await enable(db, 'code_attempts', 'code_handles', 'code_budgets', 'login_throttles', 'address_limits');
  await enable(db, 'pending_files', 'discarded_files', 'store_findings');
  await sql`create policy own_events on audit_events for insert with check (
    exists (select from persons where id = (select scope_person()) and tag = actor_tag))`.execute(db);
}

/**
 * Their work is the database's, whoever caused it: the last event of a chain, a file's place in the queue. They name what they
 * use by this schema alone, so that nothing of a caller's comes in between.
 */
async function letFunctionsSeeAll(db: Kysely<unknown>): Promise<void> {
  await sql`do $$
    declare named text;
    begin
      foreach named in array array['chain_audit_event()', 'discard_file()', 'count_persons()', 'count_invoices()',
        'buyers_named(text)']
      loop
        execute format('alter function %s security definer', named);
        execute format('alter function %s set search_path to %I, pg_temp', named, current_schema());
      end loop;
    end $$`.execute(db);
}
