import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  sql,
  type Transaction,
  type TransactionBuilder,
} from 'kysely';
import pg from 'pg';
import { numericToMinor } from '#contract/money.ts';
import { asAway, CommitUnknown, DatabaseAway, isAway, whileAway } from '#server/platform/database-away.ts';
import { hostUrls } from '#server/platform/database-hosts.ts';
import { type AwayReport, PatientPool } from '#server/platform/patient-pool.ts';
import { queryChannel, sendAndTell } from '#server/platform/query-channel.ts';
import { type Enforcement, findEnforcement } from '#server/platform/row-security.ts';
import { scopedPool } from '#server/platform/scoped-pool.ts';
import { nameOf } from '#server/platform/statement-names.ts';
import type { Tables } from '#server/platform/tables.ts';

export type Database = Kysely<Tables>;
/** Either the database or a transaction on it: what every query function takes. */
export type Connection = Kysely<Tables> | Transaction<Tables>;

/** Where PostgreSQL is: a URL, perhaps with several hosts, or the embedded one's socket. */
export type ConnectionSettings =
  | { readonly connectionString: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

const POOL_SIZE = 12;
/** For a free connection. */
const POOL_WAIT_MS = 5_000;
/** For an answer from a host, so that there is patience left for the next one. */
const CONNECT_WITHIN_MS = 2_000;

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

class NamedStatementsClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_WITHIN_MS });
    // A standby refused to write: the connection is of no use any more, though it would go on to answer.
    this.connection.on('errorMessage', ({ code }) => {
      if (code === READ_ONLY) void this.end();
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares a dozen overloads; only text and values are looked at.
  override query(...args: any[]): any {
    const [text, values, ...callback] = args; // the pool's own `query` brings a callback
    const isNamed = typeof text === 'string' && Array.isArray(values) && values.length > 0;
    const given = isNamed ? [{ name: nameOf(text), text, values }, ...callback] : args;
    // @ts-expect-error: handed through as it came.
    const send = (last: readonly unknown[]): unknown => super.query(...last);
    return queryChannel.hasSubscribers ? sendAndTell(given, send) : send(given);
  }
}

const READ_ONLY = '25006';

/** Tells a COMMIT whose answer was lost from everything else that is undone when the connection is. */
class PatientDriver extends PostgresDriver {
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.commitTransaction(connection);
    } catch (thrown) {
      const error = asAway(thrown);
      if (error instanceof DatabaseAway && error.sent) throw new CommitUnknown(error.message, { cause: error });
      throw error;
    }
  }

  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!isAway(error)) throw error; // the lost connection took it back; what was lost is the failure to tell
    }
  }
}

class PatientDialect extends PostgresDialect {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): PostgresDriver {
    return new PatientDriver({ pool: this.#pool });
  }
}

/** Its transactions are done again where PostgreSQL went away before they were committed. */
class PatientDatabase extends Kysely<Tables> {
  override transaction(): TransactionBuilder<Tables> {
    const builder = super.transaction();
    const once = builder.execute.bind(builder);
    builder.execute = (work) => whileAway(() => once(work), isAway);
    return builder;
  }
}

export interface OpenDatabase {
  readonly db: Database;
  readonly pool: PatientPool;
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
    Client: NamedStatementsClient,
    max: POOL_SIZE,
    connectionTimeoutMillis: POOL_WAIT_MS,
    application_name: 'kasente',
    types: {
      getTypeParser: (oid: number, format?: string) =>
        parsers.get(oid) ?? pg.types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text'),
    },
  };
  const pool = new PatientPool(options, urls, report);
  pool.on('error', onPoolError);
  // The pool takes its own listener off a connection that is in use; without one, a connection that breaks between two
  // statements of a transaction would end the process. The next statement of that transaction reports it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new PatientDatabase({ dialect: new PatientDialect(pool) });
  return { db, pool, close: () => db.destroy() };
}

/**
 * The query builder for requests, on the same pool: what it sends sees and touches the rows of the request's caller
 * alone (docs/decisions/0019-row-security.md).
 */
export function scopedDatabase({ db, pool }: Pick<OpenDatabase, 'db' | 'pool'>): Database {
  // Looked at when the first request comes: the migrations are done by then, and it holds as long as this process.
  let enforcement: Promise<Enforcement> | undefined;
  const enforced = (): Promise<Enforcement> => {
    enforcement ??= findEnforcement(db).catch((error: unknown) => {
      enforcement = undefined;
      throw error;
    });
    return enforcement;
  };
  return new PatientDatabase({ dialect: new PatientDialect(scopedPool(pool, enforced)) });
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
