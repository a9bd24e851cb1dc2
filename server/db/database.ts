import { setTimeout } from 'node:timers/promises';
import { type CompiledQuery, Kysely, sql } from 'kysely';
import pg from 'pg';
import { numericToMinor } from '#contract/money.ts';
import { inRetryBudget, isAway, isAwayOrUnknown, retryBudgetLeftMs } from '#server/db/connect/database-away.ts';
import { findEnforcement } from '#server/db/roles/row-security.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import { type AwayReport, RetryingPool } from './retrying-pool.ts';
import { scopingOf, unscoped } from './row-scope.ts';
import { type Change, dialectOf, type Isolation, type Scoping, sendAlone, transactOn } from './transaction.ts';

/** The database or a transaction: the first parameter of every query function. */
export type Connection = Database | Change;

/** The location of PostgreSQL: a URL, or the embedded one's socket. */
export type ConnectionSettings =
  | { readonly connectionString: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

/** How many connections a process has. */
export const POOL_SIZE = 12;
/** Between two tries while PostgreSQL is away. */
const RETRY_PAUSE_MS = 50;
/** The wait for a free connection. */
const POOL_WAIT_MS = 5_000;
/** When an idle connection is first checked for a peer that is gone. Linux gives up 10 s later. */
const KEEP_ALIVE_MS = 5_000;
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
  /** The work changes nothing a second time, so it is retried although it may have been committed. */
  readonly isIdempotent?: boolean;
}

/**
 * The query builder, with each statement by itself, and transactions. By itself, `selectFrom` and raw SQL declare a read:
 * it is repeated if PostgreSQL goes away. Raw SQL that writes belongs in `inTransaction` or `write`.
 */
export interface Database extends Kysely<Tables> {
  /** Runs one statement that writes. It is never repeated. */
  readonly write: (statement: CompiledQuery) => Promise<void>;
  /**
   * Runs work in one transaction, which begins and ends together with the first and last statements. The whole work is
   * retried if PostgreSQL goes away meanwhile: it must use nothing but its handle, no file and no network.
   */
  readonly inTransaction: <Result>(
    work: (change: Change) => Promise<Result>,
    options?: TransactionOptions,
  ) => Promise<Result>;
}

/** The kinds of statements that declare a read. */
const READS: readonly string[] = ['SelectQueryNode', 'RawNode'];

function databaseOn(pool: RetryingPool, scopingNow: () => Promise<Scoping | undefined>): Database {
  /** The one place that retries when PostgreSQL goes away; the pool waits for a connection by itself. */
  const withClient = <Result>(
    work: (client: pg.PoolClient, scoping: Scoping | undefined) => Promise<Result>,
    mayRepeat: (error: unknown) => boolean,
  ) =>
    inRetryBudget(async () => {
      const scoping = await scopingNow();
      for (;;) {
        const client = await pool.connect();
        let isBroken = false;
        try {
          return await work(client, scoping);
        } catch (error) {
          isBroken = isAwayOrUnknown(error); // also a standby's, which would continue to answer
          if (!mayRepeat(error) || retryBudgetLeftMs() <= RETRY_PAUSE_MS) throw error;
        } finally {
          client.release(isBroken);
        }
        await setTimeout(RETRY_PAUSE_MS);
      }
    });
  const runAlone = (statement: CompiledQuery, isRead: boolean) =>
    withClient(
      (client, scoping) => sendAlone(client, { statement, isRead }, scoping),
      (error) => isRead && isAway(error),
    );
  const queries = new Kysely<Tables>({
    dialect: dialectOf((statement) => runAlone(statement, READS.includes(statement.query.kind))),
  });
  return Object.assign(queries, {
    write: async (statement: CompiledQuery) => {
      await runAlone(statement, false);
    },
    inTransaction: <Result>(
      work: (change: Change) => Promise<Result>,
      { isolation, isIdempotent = false }: TransactionOptions = {},
    ) =>
      withClient(
        (client, scoping) => transactOn(client, work, { scoping, isolation }),
        isIdempotent ? isAwayOrUnknown : isAway,
      ),
  });
}

export interface OpenDatabase {
  readonly db: Database;
  readonly pool: RetryingPool;
  readonly close: () => Promise<void>;
}

const UNHEARD: AwayReport = { away: () => undefined, back: () => undefined };

/**
 * Opens the pool and the query builder, which wait for a PostgreSQL that is away
 * (docs/decisions/0020-database-away.md). `onPoolError` is called for idle connections that break.
 */
export function openDatabase(
  settings: ConnectionSettings,
  onPoolError: (error: Error) => void,
  report: AwayReport = UNHEARD,
): OpenDatabase {
  const options = {
    ...settings,
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    max: POOL_SIZE,
    connectionTimeoutMillis: POOL_WAIT_MS,
    application_name: 'kasente',
    types: {
      getTypeParser: (oid: number, format?: string) =>
        parsers.get(oid) ?? pg.types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text'),
    },
  };
  const pool = new RetryingPool(options, report);
  pool.on('error', onPoolError);
  // The pool removes its listener from a connection in use; without one, a connection that breaks between two
  // statements of a transaction would end the process. The next statement of that transaction reports it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { db: databaseOn(pool, async () => undefined), pool, close: () => pool.end() };
}

/**
 * The query builder for requests, on the same pool: its statements see and change only rows of the request's caller
 * (docs/decisions/0019-row-security.md).
 */
export function scopedDatabase({ db, pool }: Pick<OpenDatabase, 'db' | 'pool'>): Database {
  // Checked at the first request: migrations are done by then, and it stays so for the process.
  let known: Promise<Scoping> | undefined;
  const scopingNow = (): Promise<Scoping> => {
    known ??= findScoping(db).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
  return databaseOn(pool, scopingNow);
}

/** If nothing can be enforced, statements run as they are; the start said so. */
async function findScoping(db: Database): Promise<Scoping> {
  const { ownRole } = await findEnforcement(db);
  return ownRole === undefined ? unscoped : scopingOf(ownRole);
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

/** Writes without waiting for the reply: in a transaction it goes with the COMMIT. */
export async function write(connection: Connection, statement: CompiledQuery): Promise<void> {
  if ('send' in connection) connection.send({ compile: () => statement });
  else await connection.write(statement);
}

const UNIQUE_VIOLATION = '23505';

/** Whether PostgreSQL refused a duplicate under that unique constraint or index. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint;
}
