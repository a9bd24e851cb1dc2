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

/** Where PostgreSQL is: a URL, or the embedded one's socket. */
export type ConnectionSettings =
  | { readonly connectionString: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

/** The number of connections of a process. */
export const POOL_SIZE = 12;
/** The pause between two attempts while PostgreSQL is away. */
const RETRY_PAUSE_MS = 50;
/** How long we wait for a free connection. */
const POOL_WAIT_MS = 5_000;
/** When an idle connection is first checked for a dead peer. Linux gives up 10 s later. */
const KEEP_ALIVE_MS = 5_000;
/**
 * DATE stays text, INT8 becomes a safe integer, and NUMERIC becomes money in minor units: never a float. Only set here.
 */
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
  /** Whether the work has no further effect when run twice. If so, it is retried even if it may have been committed. */
  readonly isIdempotent?: boolean;
}

/**
 * The query builder, which runs each statement by itself, and transactions. Outside a transaction, `selectFrom` and raw
 * SQL must only read, because they are repeated if PostgreSQL goes away. Raw SQL that writes belongs in `inTransaction`
 * or `write`.
 */
export interface Database extends Kysely<Tables> {
  /** Runs one statement that writes. It is never repeated. */
  readonly write: (statement: CompiledQuery) => Promise<void>;
  /**
   * Runs work in one transaction. BEGIN is sent with the first statement, COMMIT with the last. The whole work is
   * retried if PostgreSQL goes away in between, so it must use only its handle: no files and no network.
   */
  readonly inTransaction: <Result>(
    work: (change: Change) => Promise<Result>,
    options?: TransactionOptions,
  ) => Promise<Result>;
}

/** The kinds of statements that count as reads. */
const READS: readonly string[] = ['SelectQueryNode', 'RawNode'];

function databaseOn(pool: RetryingPool, scopingNow: () => Promise<Scoping | undefined>): Database {
  /** The only place that retries when PostgreSQL goes away. The pool itself waits for a connection. */
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
          isBroken = isAwayOrUnknown(error); // also if a standby replied, which would refuse the next write, too
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
 * Opens the pool and the query builder; both wait for a PostgreSQL that is away (docs/decisions/0020-database-away.md).
 * `onPoolError` is called for idle connections that break.
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
  // The pool has no listener on a connection in use. Without this one, a connection that breaks between two statements
  // of a transaction would end the process. The transaction's next statement reports the error.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { db: databaseOn(pool, async () => undefined), pool, close: () => pool.end() };
}

/**
 * The query builder for requests, on the same pool. Its statements read and write only rows of the request's caller
 * (docs/decisions/0019-row-security.md).
 */
export function scopedDatabase({ db, pool }: Pick<OpenDatabase, 'db' | 'pool'>): Database {
  // Checked at the first request, after the migrations, and then cached for the process.
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

/** Without enforcement, statements run unscoped; the start has logged a warning. */
async function findScoping(db: Database): Promise<Scoping> {
  const { ownRole } = await findEnforcement(db);
  return ownRole === undefined ? unscoped : scopingOf(ownRole);
}

/** The database's current time, in milliseconds since 1970. */
export async function databaseTime(db: Database): Promise<number> {
  const result = await sql<{ ms: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(
    db,
  );
  const [row] = result.rows;
  if (row === undefined) throw new Error('the database returned no time');
  return row.ms;
}

/** Writes without waiting for the reply. In a transaction, the write is sent with the COMMIT. */
export async function write(connection: Connection, statement: CompiledQuery): Promise<void> {
  if ('send' in connection) connection.send({ compile: () => statement });
  else await connection.write(statement);
}

const UNIQUE_VIOLATION = '23505';

/** Whether PostgreSQL refused a duplicate by that unique constraint or index. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint;
}
