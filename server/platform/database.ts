import { createHash } from 'node:crypto';
import { CompiledQuery, Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { numericToMinor } from '#contract/money.ts';
import type { Tables } from '#server/platform/tables.ts';

export type Database = Kysely<Tables>;
/** Either the database or a transaction on it: what every query function takes. */
export type Connection = Kysely<Tables> | Transaction<Tables>;

/** Where PostgreSQL is: a URL, or the embedded one's socket. */
export type ConnectionSettings =
  | { readonly connectionString: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

const POOL_SIZE = 12;

/** DATE stays text, INT8 must fit a number, NUMERIC is money in minor units: never a float. Set once, here. */
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.DATE, (text) => text],
  [pg.types.builtins.INT8, parseInteger],
  [pg.types.builtins.NUMERIC, numericToMinor],
]);

function parseInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a safe integer: ${text}`);
  return value;
}

const names = new Map<string, string>();
const NAMES_KEPT = 2000;

/** A statement's name is a hash of its text, so that PostgreSQL plans each one once for a connection. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
  if (names.size < NAMES_KEPT) names.set(text, name);
  return name;
}

class NamedStatementsClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg declares a dozen overloads; only text and values are looked at.
  override query(...args: any[]): any {
    const [text, values, ...callback] = args; // the pool's own `query` brings a callback
    if (typeof text === 'string' && Array.isArray(values) && values.length > 0) {
      return super.query({ name: nameOf(text), text, values }, ...callback);
    }
    // @ts-expect-error: handed through as it came.
    return super.query(...args);
  }
}

export interface OpenDatabase {
  readonly db: Database;
  readonly pool: pg.Pool;
  readonly close: () => Promise<void>;
}

/** Opens the pool and the query builder over it. `onPoolError` hears of idle connections that break. */
export function openDatabase(settings: ConnectionSettings, onPoolError: (error: Error) => void): OpenDatabase {
  const pool = new pg.Pool({
    ...settings,
    Client: NamedStatementsClient,
    max: POOL_SIZE,
    connectionTimeoutMillis: 5_000,
    application_name: 'kasente',
    types: {
      getTypeParser: (oid: number, format?: string) =>
        parsers.get(oid) ?? pg.types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text'),
    },
  });
  pool.on('error', onPoolError);
  // The pool takes its own listener off a connection that is in use; without one, a connection that breaks between two
  // statements of a transaction would end the process. The next statement of that transaction reports it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

/** The database's own clock, in milliseconds since 1970. */
export async function databaseTime(db: Database): Promise<number> {
  const result = await sql<{ ms: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(
    db,
  );
  const [row] = result.rows;
  if (row === undefined) throw new Error('the database did not say what time it is');
  return row.ms;
}

/** Runs statements that carry no parameters, such as those of another library, inside a transaction of ours. */
export function rawExecutor(connection: Connection) {
  return {
    executeSql: async (text: string, values: readonly unknown[] = []) => {
      const result = await connection.executeQuery(CompiledQuery.raw(text, [...values]));
      return { rows: result.rows };
    },
  };
}

const UNIQUE_VIOLATION = '23505';

/** Whether the error is PostgreSQL's refusal of a second row under that unique constraint or index. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint;
}
