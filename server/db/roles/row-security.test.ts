import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Database, scopedDatabase } from '#server/db/database.ts';
import { asSystem, inScopeOf } from '#server/db/row-scope.ts';
import { findInvoicePage } from '#server/invoices/invoice-list.queries.ts';
import { selectInvoice } from '#server/invoices/invoices.queries.ts';
import { buildBusiness } from '#testing/builders.ts';
import { buildCaseClient, type CaseClient } from '#testing/case-builders.ts';
import { canaryFound, proved } from '#testing/evidence/record.ts';
import { appOfFile } from '#testing/test-app.ts';
import {
  fillEveryTable,
  type Reach,
  reachInto,
  type SecuredTable,
  securedTables,
  tablesOf,
} from './row-security.harness.ts';
import { referenceTables } from './row-security.ts';

/** Tables without row-level security, and why. Requests may read reference data, and nothing in the others. */
const outside: Readonly<Record<string, string>> = {
  ...Object.fromEntries(referenceTables.map((table) => [table, 'reference data, the same for everyone'])),
  installation: 'which store and secret are the database’s; requests cannot reach it',
  kysely_applied: 'which migrations were run; requests cannot reach it',
  kysely_migration: 'those of them that release 0.1.0 knows; requests cannot reach it',
};

const app = appOfFile();
let scoped: Database;
/** The client whose rows fill every table. */
let other: CaseClient;
/** The client who sends the statements. */
let asking: CaseClient;
let tables: SecuredTable[];

beforeAll(async () => {
  scoped = scopedDatabase(app.platform);
  other = await fillEveryTable(app);
  tables = await securedTables(app.platform.db);
  asking = await buildCaseClient(app);
});

function asAsking<Result>(work: () => Promise<Result>): Promise<Result> {
  const { id, businessId } = asking.person;
  return inScopeOf({ id, businessId, perms: ['BIDA'] }, work);
}

/** The rows that `asking` reaches without a scope. `unlocked` disables the table's row-level security first. */
async function reach(table: SecuredTable, unlocked: boolean): Promise<Reach> {
  const undone = new Error('undone');
  const rows = unlocked ? scopedDatabase(app.database.owner) : scoped;
  let reached: Reach | undefined;
  const attempt = () =>
    rows.inTransaction(async (change) => {
      const open = sql`alter table ${sql.table(table.name)} disable row level security`;
      if (unlocked) await asSystem('session', () => open.execute(change));
      reached = await reachInto(change, table);
      throw undone;
    });
  await expect(asAsking(attempt)).rejects.toBe(undone);
  if (reached === undefined) throw new Error(`nothing was tried on ${table.name}`);
  return reached;
}

describe('every table', () => {
  it('is under row-level security, or listed as needing none', async () => {
    const open = (await tablesOf(app.platform.db)).filter(({ secured }) => !secured).map(({ name }) => name);
    expect(open).toEqual(Object.keys(outside).sort());
  });

  it('without row-level security is read-only reference data, or inaccessible to requests', async () => {
    const { rows } = await sql<{ name: string; privileges: string[] }>`
      select relname as name, array_agg(distinct privilege_type order by privilege_type) as privileges
      from pg_class, aclexplode(relacl) join pg_roles as grantee on grantee.oid = grantee
      where rolname = 'kasente_client' and relkind = 'r' and not relrowsecurity group by relname order by relname`.execute(
      app.platform.db,
    );
    expect(rows).toEqual([...referenceTables].sort().map((name) => ({ name, privileges: ['SELECT'] })));
  });

  it('is not exposed by a view that bypasses its policies', async () => {
    const { rows } = await sql<{ name: string }>`select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('v', 'm')
        and not coalesce('security_invoker=true' = any(reloptions), false)`.execute(app.platform.db);
    expect(rows).toEqual([]);
  });

  it('contains rows of another client here, so there is something to find', () => {
    expect(tables.filter(({ foreign }) => foreign.length === 0).map(({ name }) => name)).toEqual([]);
  });
});

it('the database neither shows nor lets a client change another client’s rows, whatever the query forgot', async () => {
  const { rows: buyers } = await sql<{ place: string }>`
    select ctid::text as place from businesses where ever_buyer order by ctid`.execute(app.platform.db);
  const found: Record<string, Reach> = {};
  let planted = 0;
  for (const table of tables) {
    // First the canary: without the policy, the same statements find another client's rows.
    const unlocked = await reach(table, true);
    expect(unlocked.seen, table.name).toEqual(table.foreign);
    expect(unlocked.inserted, table.name).toBe(true);
    planted += unlocked.seen.length + unlocked.updated + unlocked.deleted;
    found[table.name] = await reach(table, false);
  }
  // Every client may choose any buyer.
  const offered = { seen: buyers.map(({ place }) => place), updated: 0, deleted: 0, inserted: false };
  const nothing: Reach = { seen: [], updated: 0, deleted: 0, inserted: false };
  const expected = tables.map(({ name }) => [name, name === 'businesses' ? offered : nothing]);
  expect(found).toEqual(Object.fromEntries(expected));

  const foreign = tables.reduce((sum, table) => sum + table.foreign.length, 0);
  canaryFound(
    'row-security',
    `${tables.length} tables with their policies taken away: ${planted} foreign rows reached`,
  );
  proved(
    'row-security',
    `${tables.length} tables, ${foreign} foreign rows: unscoped selects, updates, deletes and inserts of a client reached 0; ` +
      `${Object.keys(outside).length} tables stand outside, listed`,
  );
});

describe('the product’s own queries with too wide a scope', () => {
  it('find another client’s invoice for staff but not for a client', async () => {
    const { tag } = await app.platform.db
      .selectFrom('invoices')
      .select('tag')
      .where('business_id', '=', other.person.businessId)
      .executeTakeFirstOrThrow();
    const find = () => selectInvoice(scoped, 'everybody', tag);
    const officer = { id: asking.person.id, businessId: null, perms: ['KSTAF'] as const };
    expect(await inScopeOf(officer, find)).toMatchObject({ tag });
    expect(await asAsking(find)).toBeUndefined();
    expect(await inScopeOf(null, find)).toBeUndefined();
  });

  it('list none of another client’s invoices', async () => {
    const list = () =>
      findInvoicePage(scoped, { scope: 'all', status: undefined, sort: '-date' }, undefined, { page: 1, size: 10 });
    expect((await asSystem('session', list)).length).toBeGreaterThan(0);
    expect(await asAsking(list)).toEqual([]);
  });
});

it('only the listed functions see more', async () => {
  const { rows } = await sql<{ name: string; path: string[] }>`
    select proname as name, proconfig as path from pg_proc
    where pronamespace = current_schema()::regnamespace and prosecdef order by proname`.execute(app.platform.db);
  const triggers = ['chain_audit_event', 'count_invoices', 'count_persons', 'discard_file'];
  const names = ['buyers_named', 'buyers_with_words', ...triggers];
  expect(rows).toEqual(names.map((name) => ({ name, path: ['search_path=public, pg_temp'] })));

  const named = async () =>
    (await sql<{ id: number }>`select buyers_named('%') as id`.execute(scoped)).rows.map(({ id }) => id).toSorted();
  const { db } = app.platform;
  const buyers = await db.selectFrom('businesses').select('id').where('is_buyer', '=', true).orderBy('id').execute();
  expect(await asAsking(named)).toEqual(buyers.map(({ id }) => id));
  const withWords = async () =>
    (await sql<{ id: number }>`select buyers_with_words(array['']) as id`.execute(scoped)).rows.map(({ id }) => id);
  expect((await asAsking(withWords)).toSorted()).toEqual(buyers.map(({ id }) => id));
});

it('a former buyer’s name stays visible on its invoices', async () => {
  const { db } = app.platform;
  const { id } = await buildBusiness(app, { kind: 'buyer' });
  await db.updateTable('businesses').set({ is_buyer: false, is_client: true }).where('id', '=', id).execute();
  const find = () => scoped.selectFrom('businesses').select('id').where('id', '=', id).execute();
  expect(await asAsking(find)).toEqual([{ id }]);
});

it('a statement without any scope sees nothing, and a staff statement sees everything', async () => {
  const count = async (): Promise<number> => {
    return (await scoped.selectFrom('invoices').select('id').execute()).length;
  };
  expect(await count()).toBe(0);
  expect(await inScopeOf({ id: 1, businessId: null, perms: [] }, count)).toBe(0);
  expect(await inScopeOf({ id: 1, businessId: null, perms: ['KADMIN'] }, count)).toBe(
    tables.find(({ name }) => name === 'invoices')?.foreign.length,
  );
});
