import {
  type Compilable,
  type CompiledQuery,
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import pg from 'pg';
import { asAway, CommitUnknown, DatabaseAway, isAway } from '#server/db/connect/database-away.ts';
import { CLIENT_ROLE } from '#server/db/roles/row-security.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import { publishQuery, queryChannel } from '#server/observability/query-channel.ts';
import { gatherWrites } from './sockets.ts';
import { nameOf } from './statement-names.ts';
import { together } from './together.ts';

/**
 * Sends everything to PostgreSQL (docs/decisions/0039-one-road.md). A connection accepts statements without waiting for
 * earlier replies, and replies in order. Statements that don't depend on a reply therefore cost no round trip of their
 * own.
 */

/** The rows that a statement may see, as PostgreSQL settings: the role, and two settings that the policies read. */
export interface Settings {
  readonly role: string;
  readonly business: string;
  readonly person: string;
}

/** Confines statements to the caller's rows. */
export interface Scoping {
  /** The settings of a connection outside a transaction. */
  readonly own: Settings;
  /** The settings for a statement sent now, given those of its transaction. */
  readonly now: (within: Settings | undefined) => Settings;
}

/** An open transaction. It ends with its work; later statements are refused. */
export interface Change extends Kysely<Tables> {
  /**
   * Sends a write without waiting for it: it goes with the COMMIT. If it fails, the transaction is rolled back and
   * throws the write's error, or the refusal in `refusals` for the broken constraint.
   */
  readonly send: (query: Compilable, refusals?: Refusals) => void;
}

/** What to throw for a broken constraint, by the constraint's name. */
export type Refusals = Readonly<Record<string, () => Error>>;

export type Isolation = 'repeatable read' | 'repeatable read, read only';

const SET = `select set_config('role', $1, true), set_config('kasente.business', $2, true), set_config('kasente.person', $3, true)`;
const TRANSACTION_FAILED = '25P02';

/** A statement outside a transaction, and whether its caller declared it a read. */
export interface LoneStatement {
  readonly statement: CompiledQuery;
  readonly isRead: boolean;
}

/**
 * Sends a single statement. It gets a transaction of its own only if its settings differ from the connection's, or to
 * let PostgreSQL refuse a write that was declared a read.
 */
export async function sendAlone(
  client: pg.ClientBase,
  { statement, isRead }: LoneStatement,
  scoping: Scoping | undefined,
): Promise<pg.QueryResult> {
  if (scoping === undefined) return send(client, statement);
  const settings = scoping.now(undefined);
  if (isSame(settings, scoping.own)) return send(client, statement);
  const begun = sendText(client, isRead ? 'begin read only' : 'begin');
  const set = sendSettings(client, settings);
  const answer = send(client, statement, settings);
  const ended = sendText(client, 'commit');
  // Waits for all of them even if the first fails, because the next user gets the connection afterwards.
  try {
    const [, , result] = await together(begun, set, answer, ended);
    return result;
  } catch (error) {
    if (!isRead || !isRefusedWrite(error)) throw error;
    throw new Error('a statement that was declared a read writes: use inTransaction or write', { cause: error });
  }
}

/** Whether PostgreSQL refused a write in a read-only transaction. */
function isRefusedWrite(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25006';
}

/** Passes a statement to the driver, which sends it after the earlier ones. */
function send(client: pg.ClientBase, { sql: text, parameters, query }: CompiledQuery, settings?: Settings) {
  // Several commands in one text, as in migrations, can't be prepared.
  if (parameters.length === 0 && query.kind !== 'SelectQueryNode') return ask(client, { text });
  // Plans are per role: if two roles shared a statement name, their plans would evict each other.
  const name = settings?.role === CLIENT_ROLE ? `${nameOf(text)}-scoped` : nameOf(text);
  return ask(client, { name, text, values: [...parameters] });
}

function sendText(client: pg.ClientBase, text: string): Promise<pg.QueryResult> {
  return ask(client, { text });
}

function ask(client: pg.ClientBase, query: pg.QueryConfig & { readonly text: string }): Promise<pg.QueryResult> {
  gatherWrites(client);
  const outcome = client.query(query);
  outcome.catch(() => undefined); // callers that need the result await it; the other failures don't matter
  if (queryChannel.hasSubscribers) publishQuery(query.text, outcome);
  return outcome;
}

/** The settings end with the transaction. If setting them fails, so does everything after. */
function sendSettings(client: pg.ClientBase, { role, business, person }: Settings): Promise<pg.QueryResult> {
  return ask(client, { name: 'kasente scope', text: SET, values: [role, business, person] });
}

/** Runs work in one transaction on a connection of its own. */
export async function transactOn<Result>(
  client: pg.ClientBase,
  work: (change: Change) => Promise<Result>,
  { scoping, isolation }: { readonly scoping?: Scoping | undefined; readonly isolation?: Isolation | undefined } = {},
): Promise<Result> {
  const transaction = new OpenTransaction(client, scoping, isolation);
  try {
    const result = await work(transaction.change);
    await transaction.commit();
    return result;
  } catch (error) {
    throw await transaction.rollback(error);
  }
}

/** One transaction on a connection of its own. */
class OpenTransaction {
  readonly change: Change;
  readonly #client: pg.ClientBase;
  readonly #scoping: Scoping | undefined;
  /** The transaction's settings. */
  readonly #settings: Settings | undefined;
  /** The settings of the last statement. */
  #current: Settings | undefined;
  #isOver = false;
  /** The first failure. PostgreSQL refuses every later statement because of it. */
  #failure: unknown;
  /** The first failure of a statement that nobody awaits. */
  #unawaitedFailure: unknown;

  /** Sends BEGIN without waiting for the reply. */
  constructor(client: pg.ClientBase, scoping: Scoping | undefined, isolation?: Isolation) {
    this.#client = client;
    this.#scoping = scoping;
    this.#settings = scoping?.now(undefined);
    this.#current = scoping?.own;
    const begin = isolation === undefined ? 'begin' : `begin isolation level ${isolation}`;
    void this.#note(sendText(client, begin));
    this.#switchTo(this.#settings);
    const queries = new Kysely<Tables>({
      dialect: dialectOf((statement) => this.#note(this.#send(statement))),
    });
    this.change = Object.assign(queries, {
      send: (query: Compilable, refusals: Refusals = {}) => this.#sendUnawaited(query.compile(), refusals),
    });
  }

  /** Commits. Throws the first failure, or {@link CommitUnknown} if the reply was lost. */
  async commit(): Promise<void> {
    this.#switchTo(this.#settings); // deferred triggers run with them
    const ended = await this.#end('commit').catch((thrown: unknown) => {
      const error = asAway(thrown);
      throw error instanceof DatabaseAway && error.sent ? new CommitUnknown(error.message, { cause: error }) : error;
    });
    // COMMIT of a failed transaction rolls back, and its reply says so.
    if (ended.command === 'ROLLBACK') throw this.#failure ?? new Error('the transaction was rolled back');
  }

  /** Rolls back if still needed. Returns the original failure. */
  async rollback(error: unknown): Promise<unknown> {
    if (!this.#isOver) {
      await this.#end('rollback').catch((lost: unknown) => {
        if (!isAway(lost)) throw lost; // the server rolls back when the connection is lost, and the loss is the failure to report
      });
    }
    return this.#unawaitedFailure ?? (isAbortedTransaction(error) ? (this.#failure ?? error) : error);
  }

  #end(how: 'commit' | 'rollback'): Promise<pg.QueryResult> {
    this.#isOver = true;
    return sendText(this.#client, how);
  }

  #send(statement: CompiledQuery): Promise<pg.QueryResult> {
    if (this.#isOver) return Promise.reject(new Error('the transaction is over'));
    const settings = this.#settings && this.#scoping?.now(this.#settings);
    this.#switchTo(settings);
    return send(this.#client, statement, settings);
  }

  /** Sends the settings that differ from the current ones. A failure rolls them back with the rest. */
  #switchTo(wanted: Settings | undefined): void {
    if (wanted === undefined || this.#current === undefined || isSame(wanted, this.#current)) return;
    void this.#note(sendSettings(this.#client, wanted));
    this.#current = wanted;
  }

  #sendUnawaited(statement: CompiledQuery, refusals: Refusals): void {
    this.#note(this.#send(statement)).catch((error: unknown) => {
      const broken = error instanceof pg.DatabaseError ? error.constraint : undefined;
      if (error !== this.#failure) return;
      this.#unawaitedFailure ??= (broken === undefined ? undefined : refusals[broken]?.()) ?? error;
    });
  }

  #note<Result>(outcome: Promise<Result>): Promise<Result> {
    outcome.catch((error: unknown) => {
      this.#failure ??= error;
    });
    return outcome;
  }
}

/** PostgreSQL's refusal of every statement after a failure. */
function isAbortedTransaction(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === TRANSACTION_FAILED;
}

function isSame(one: Settings, other: Settings): boolean {
  return one.role === other.role && one.business === other.business && one.person === other.person;
}

const adapter = new PostgresAdapter();
const compiler = new PostgresQueryCompiler();
const NO_TRANSACTIONS = 'use inTransaction';

/** The query builder over a function that sends. It has no connection and opens no transaction itself. */
export function dialectOf(sendStatement: (statement: CompiledQuery) => Promise<pg.QueryResult>): Dialect {
  const connection = {
    executeQuery: async <Row>(statement: CompiledQuery) => {
      const { command, rowCount, rows } = await sendStatement(statement);
      const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE';
      return { rows: rows as Row[], ...(changes ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) };
    },
    streamQuery: () => {
      throw new Error('rows are not streamed');
    },
  };
  const refuse = async (): Promise<never> => {
    throw new Error(NO_TRANSACTIONS);
  };
  const driver = {
    init: async () => undefined,
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: async () => undefined,
    destroy: async () => undefined,
  };
  return {
    createAdapter: () => adapter,
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => compiler,
  };
}
