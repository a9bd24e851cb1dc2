import { CompiledQuery, Kysely, sql } from 'kysely';
import pg from 'pg';
import { numericToMinor } from '#contract/money.ts';
import { isAway, isAwayOrUnknown, whileAway } from '#server/db/connect/database-away.ts';
import { hostUrls } from '#server/db/connect/database-hosts.ts';
import { findEnforcement } from '#server/db/roles/row-security.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import { type AwayReport, RetryingPool } from './retrying-pool.ts';
import { scopingOf } from './row-scope.ts';
import { SocketClient } from './sockets.ts';
import { type Change, dialectOf, type Isolation, type Scoping, sendAlone, transactOn } from './transaction.ts';

/** Either the database or a transaction on it: what every query function takes. */
export type Connection = Database | Change;

/** Where PostgreSQL is: a URL, perhaps with several hosts, or the embedded one's socket. */
export type ConnectionSettings =
  | { readonly connectionString: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

const POOL_SIZE = 12;
/** For a free connection. */
const POOL_WAIT_MS = 5_000;
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

interface TransactionOptions {
  readonly isolation?: Isolation;
  /** What it may be done again after; by default where PostgreSQL went away before it was committed. */
  readonly mayRepeat?: (error: unknown) => boolean;
}

/** The query builder, each of whose statements is by itself, and transactions. */
export interface Database extends Kysely<Tables> {
  /**
   * Does work in one transaction, which is begun, and ended, together with what it sends first and last. It is done again, whole, where
   * PostgreSQL goes away meanwhile: in it nothing but its own handle, no file and no network.
   */
  readonly inTransaction: <Result>(
    work: (change: Change) => Promise<Result>,
    options?: TransactionOptions,
  ) => Promise<Result>;
}

function databaseOn(pool: RetryingPool, scopingNow: () => Promise<Scoping | undefined>): Database {
  const withClient = async <Result>(work: (client: pg.PoolClient, scoping: Scoping | undefined) => Promise<Result>) => {
    const scoping = await scopingNow();
    const client = await pool.connect();
    let isBroken = false;
    try {
      return await work(client, scoping);
    } catch (error) {
      isBroken = isAwayOrUnknown(error); // also a standby's, though it would go on to answer
      throw error;
    } finally {
      client.release(isBroken);
    }
  };
  const once = <Result>(work: (change: Change) => Promise<Result>, isolation: TransactionOptions['isolation']) =>
    withClient((client, scoping) => transactOn(client, work, { scoping, isolation }));
  const queries = new Kysely<Tables>({
    dialect: dialectOf((statement) => withClient((client, scoping) => sendAlone(client, statement, scoping))),
  });
  return Object.assign(queries, {
    inTransaction: <Result>(work: (change: Change) => Promise<Result>, options: TransactionOptions = {}) =>
      whileAway(() => once(work, options.isolation), options.mayRepeat ?? isAway),
  });
}

export interface OpenDatabase {
  readonly db: Database;
  readonly pool: RetryingPool;
  readonly close: () => Promise<void>;
}

const UNHEARD: AwayReport = { away: () => undefined, back: () => undefined };

/**
 * Opens the pool and the query builder over it, which wait for a PostgreSQL that is away
 * (docs/decisions/0020-database-away.md). `onPoolError` hears of idle connections that break.
 */
export function openDatabase(
  settings: ConnectionSettings,
  onPoolError: (error: Error) => void,
  report: AwayReport = UNHEARD,
): OpenDatabase {
  const urls = 'connectionString' in settings ? hostUrls(settings.connectionString) : [];
  const options = {
    ...settings,
    Client: SocketClient,
    pipeline: true,
    max: POOL_SIZE,
    connectionTimeoutMillis: POOL_WAIT_MS,
    application_name: 'kasente',
    types: {
      getTypeParser: (oid: number, format?: string) =>
        parsers.get(oid) ?? pg.types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text'),
    },
  };
  const pool = new RetryingPool(options, urls, report);
  pool.on('error', onPoolError);
  // The pool takes its own listener off a connection that is in use; without one, a connection that breaks between two
  // statements of a transaction would end the process. The next statement of that transaction reports it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { db: databaseOn(pool, async () => undefined), pool, close: () => pool.end() };
}

/**
 * The query builder for requests, on the same pool: what it sends sees and touches the rows of the request's caller
 * alone (docs/decisions/0019-row-security.md).
 */
export function scopedDatabase({ db, pool }: Pick<OpenDatabase, 'db' | 'pool'>): Database {
  // Looked at when the first request comes: the migrations are done by then, and it holds as long as this process.
  let known: Promise<Scoping | undefined> | undefined;
  const scopingNow = (): Promise<Scoping | undefined> => {
    known ??= findScoping(db).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
  return databaseOn(pool, scopingNow);
}

/** Where nothing can be enforced, statements go as they come; the start said so. */
async function findScoping(db: Database): Promise<Scoping | undefined> {
  const { ownRole } = await findEnforcement(db);
  return ownRole === undefined ? undefined : scopingOf(ownRole);
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
