import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { type Database, openDatabase } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { migrate } from '#server/migrations/migrate.ts';
import { addCallers } from './callers.fill.ts';
import { fill } from './invoice-list.fill.ts';

/**
 * Databases that are filled once and copied for each bench, on an embedded PostgreSQL with the product's settings: fsync and
 * synchronous_commit are on, so it belongs on a disk. BENCH_DATA names a folder that keeps the filled ones; a million invoices take
 * a minute or two to fill and half a minute to copy.
 */

const BUSINESSES = 1000;

/** A database on a running PostgreSQL. */
export interface BenchDatabase {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Its DATABASE_URL. */
  readonly url: string;
  /** Runs a statement, bypassing the server. */
  query<Found extends pg.QueryResultRow>(statement: string, values?: readonly unknown[]): Promise<Found[]>;
}

/** The content of a new, migrated database. */
export interface Filling {
  readonly kind: string;
  /** The files in bench/ that the filling depends on; after a change it is filled again. */
  readonly files: readonly string[];
  fill(db: Database, database: BenchDatabase): Promise<void>;
}

/** Invoices of a thousand clients, with the callers of callers.fill.ts. */
export function invoicesFilling(invoices: number): Filling {
  return {
    kind: `invoices_${invoices}`,
    files: ['fills/businesses.fill.ts', 'fills/invoice-list.fill.ts', 'fills/callers.fill.ts'],
    fill: async (db) => {
      await inBulk(db, 'invoices', (bulk) => fill(bulk, { invoices, businesses: BUSINESSES }));
      await addCallers(db);
    },
  };
}

/** Fills a table in half the time by creating its indexes afterwards, except those of constraints. */
export async function inBulk(db: Database, table: string, work: (db: Database) => Promise<void>): Promise<void> {
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = ${table}::regclass
      and not exists (select from pg_constraint where conindid = indexrelid)`.execute(db);
  for (const { name } of indexes) await sql`drop index ${sql.raw(name)}`.execute(db);
  await work(db);
  await db.inTransaction(async (change) => {
    await sql`set local maintenance_work_mem = '512MB'`.execute(change);
    for (const { definition } of indexes) await sql.raw(definition).execute(change);
  });
}

/** Lets the benches of a run share their fillings, and removes them at the end unless BENCH_DATA is set. */
export async function keepingFilled(work: () => Promise<void>): Promise<void> {
  if (process.env.BENCH_DATA !== undefined) return work();
  const folder = await mkdtemp(join(tmpdir(), 'kasente-bench-'));
  process.env.BENCH_DATA = folder;
  try {
    await work();
  } finally {
    delete process.env.BENCH_DATA;
    await rm(folder, { recursive: true, force: true });
  }
}

/** Does work on fresh copies of filled databases in one PostgreSQL, and drops them. */
export async function withFilled<Result>(
  fillings: readonly Filling[],
  work: (databases: readonly BenchDatabase[]) => Promise<Result>,
): Promise<Result> {
  const kept = process.env.BENCH_DATA;
  const dataDir = kept ?? (await mkdtemp(join(tmpdir(), 'kasente-bench-')));
  await mkdir(dataDir, { recursive: true });
  await chmod(dataDir, 0o711); // for root: PostgreSQL runs as another user, who needs access
  const postgres = await startEmbeddedPostgres({ dataDir });
  const databases: BenchDatabase[] = [];
  const at = (name: string) => databaseAt(postgres.connectionFor(name));
  try {
    for (const [index, filling] of fillings.entries()) {
      const copy = at(`bench_${process.pid}_${index}`);
      databases.push(copy);
      const template = await filled(at, filling);
      await at('postgres').query(`create database ${copy.name} template ${template} strategy file_copy`);
    }
    // Flushes the copies to the disk before the measurement.
    await at('postgres').query('checkpoint');
    return await work(databases);
  } finally {
    for (const { name } of databases) await at('postgres').query(`drop database if exists ${name} with (force)`);
    await postgres.stop();
    if (kept === undefined) await rm(dataDir, { recursive: true, force: true });
  }
}

/** Creates the template of a filling, unless it exists. */
async function filled(at: (name: string) => BenchDatabase, filling: Filling): Promise<string> {
  const name = `filled_${filling.kind}_${stampOf(filling)}`;
  const [found] = await at('postgres').query<{ is_there: boolean }>(
    'select exists (select from pg_database where datname = $1) as is_there',
    [name],
  );
  if (found?.is_there === true) return name;
  const unfinished = `unfinished_${process.pid}`;
  await at('postgres').query(`drop database if exists ${unfinished} with (force)`);
  await at('postgres').query(`create database ${unfinished}`);
  const began = performance.now();
  const { host, port, user } = at(unfinished);
  const opened = openDatabase({ host, port, user, database: unfinished }, () => undefined);
  try {
    await migrate(opened.db);
    await filling.fill(opened.db, at(unfinished));
  } finally {
    await opened.close();
  }
  await at('postgres').query(`alter database ${unfinished} rename to ${name}`);
  console.log(`filled ${filling.kind} in ${Math.round((performance.now() - began) / 1000)} s`);
  return name;
}

/** A hash of the migrations and the filling's files. */
function stampOf({ files }: Filling): string {
  const hash = createHash('sha256');
  const migrations = join(import.meta.dirname, '../../server/migrations');
  for (const name of readdirSync(migrations).toSorted())
    if (/^\d.*\.ts$/.test(name)) hash.update(readFileSync(join(migrations, name)));
  for (const name of files) hash.update(readFileSync(join(import.meta.dirname, '..', name)));
  return hash.digest('hex').slice(0, 12);
}

function databaseAt({
  host,
  port,
  user,
  database: name,
}: pg.ClientConfig & { host: string; port: number; user: string; database: string }): BenchDatabase {
  return {
    name,
    host,
    port,
    user,
    url: `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`,
    query: async (statement, values = []) => {
      const client = new pg.Client({ host, port, user, database: name });
      await client.connect();
      try {
        return (await client.query(statement, [...values])).rows;
      } finally {
        await client.end();
      }
    },
  };
}
