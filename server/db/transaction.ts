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
import { queryChannel, tellQuery } from '#server/observability/query-channel.ts';
import { gatherWrites } from './sockets.ts';
import { nameOf } from './statement-names.ts';
import { together } from './together.ts';

/**
 * Everything that is sent to PostgreSQL (docs/decisions/0039-one-road.md). A connection accepts statements without
 * waiting for earlier replies, and replies in order, so what does not depend on a reply costs no round trip of its own.
 */

/** The rows that a statement may see, as PostgreSQL is told: its role, and two settings that the policies read. */
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
  /** The precondition of the current work, if any. */
  readonly precondition: () => Precondition | undefined;
}

export type Ask = (statement: CompiledQuery) => Promise<{ readonly rows: readonly unknown[] }>;

/** What PostgreSQL must confirm before any other reply is used or committed. */
export interface Precondition {
  /**
   * Sends the check with the first statement, under the connection's own role; later ones wait for that reply. Rejects
   * if it does not hold.
   */
  readonly confirm: (ask: Ask) => Promise<void>;
}

/** An open transaction. It ends with its work; statements sent later are refused. */
export interface Change extends Kysely<Tables> {
  /**
   * Sends a write without waiting: it goes with the COMMIT. If it fails, the transaction is rolled back and the call
   * fails with its error, or with the refusal that `refusals` has for the broken constraint.
   */
  readonly send: (query: Compilable, refusals?: Refusals) => void;
}

/** What breaking a constraint means to the caller, by the constraint's name. */
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
 * A single statement, under a scope. A read is sent together with the check of the session, in a read-only transaction:
 * PostgreSQL refuses a write that was declared a read. A write waits for the check.
 */
export async function sendAlone(
  client: pg.ClientBase,
  { statement, isRead }: LoneStatement,
  scoping: Scoping | undefined,
): Promise<pg.QueryResult> {
  if (scoping === undefined) return send(client, statement);
  const settings = scoping.now(undefined);
  const isOwn = isSame(settings, scoping.own);
  if (!isRead) await askFirst(client, scoping);
  if (!isRead && isOwn) return send(client, statement);
  const begun = sendText(client, isRead ? 'begin read only' : 'begin');
  // Within the transaction: alone it would cost another one.
  const confirmed = askFirst(client, scoping);
  const set = isOwn ? undefined : sendSettings(client, settings);
  const answer = send(client, statement, settings);
  const ended = sendText(client, 'commit');
  // Waits for all of them even if the first fails: afterwards somebody else gets the connection.
  try {
    const [, , , result] = await together(confirmed, begun, set, answer, ended);
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

/** Sends the pending check before the next statement. */
function askFirst(client: pg.ClientBase, scoping: Scoping | undefined): Promise<void> | undefined {
  const confirmed = scoping?.precondition()?.confirm((statement) => send(client, statement));
  confirmed?.catch(() => undefined); // a caller that uses a result awaits it
  return confirmed;
}

/** Hands a statement to the driver: it is sent after the earlier ones. */
function send(client: pg.ClientBase, { sql: text, parameters, query }: CompiledQuery, settings?: Settings) {
  // Several commands in one text, as in migrations, cannot be prepared.
  if (parameters.length === 0 && query.kind !== 'SelectQueryNode') return ask(client, { text });
  // Plans are per role: under one name two roles' plans would evict each other.
  const name = settings?.role === CLIENT_ROLE ? `${nameOf(text)}-scoped` : nameOf(text);
  return ask(client, { name, text, values: [...parameters] });
}

function sendText(client: pg.ClientBase, text: string): Promise<pg.QueryResult> {
  return ask(client, { text });
}

function ask(client: pg.ClientBase, query: pg.QueryConfig & { readonly text: string }): Promise<pg.QueryResult> {
  gatherWrites(client);
  const outcome = client.query(query);
  outcome.catch(() => undefined); // a caller that needs it awaits it; nobody needs the other failures
  if (queryChannel.hasSubscribers) tellQuery(query.text, outcome);
  return outcome;
}

/** The settings end with the transaction; if they fail, so does what follows. */
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
  /** Those of the statement that was sent last. */
  #current: Settings | undefined;
  #isOver = false;
  /** The first failure, before PostgreSQL refused everything that followed. */
  #failure: unknown;
  /** The first failure of a statement that nobody awaits. */
  #unawaitedFailure: unknown;
  /** Settles once PostgreSQL has confirmed or refused the precondition. */
  readonly #confirmed: Promise<void> | undefined;

  /** Sends BEGIN, without waiting. */
  constructor(client: pg.ClientBase, scoping: Scoping | undefined, isolation?: Isolation) {
    this.#client = client;
    this.#scoping = scoping;
    this.#settings = scoping?.now(undefined);
    this.#current = scoping?.own;
    const begin = isolation === undefined ? 'begin' : `begin isolation level ${isolation}`;
    void this.#note(sendText(client, begin));
    this.#confirmed = askFirst(client, scoping);
    this.#switchTo(this.#settings);
    const queries = new Kysely<Tables>({
      dialect: dialectOf((statement) => this.#afterConfirmation(this.#note(this.#send(statement)))),
    });
    this.change = Object.assign(queries, {
      send: (query: Compilable, refusals: Refusals = {}) => this.#sendUnawaited(query.compile(), refusals),
    });
  }

  /** Commits. Throws the first failure; {@link CommitUnknown} if the reply was lost. */
  async commit(): Promise<void> {
    await this.#confirmed;
    this.#switchTo(this.#settings); // deferred triggers run under them
    const ended = await this.#end('commit').catch((thrown: unknown) => {
      const error = asAway(thrown);
      throw error instanceof DatabaseAway && error.sent ? new CommitUnknown(error.message, { cause: error }) : error;
    });
    // COMMIT of a failed transaction rolls back, and says so.
    if (ended.command === 'ROLLBACK') throw this.#failure ?? new Error('the transaction was undone');
  }

  /** Rolls back, if still needed; returns the true failure. */
  async rollback(error: unknown): Promise<unknown> {
    if (!this.#isOver) {
      await this.#end('rollback').catch((lost: unknown) => {
        if (!isAway(lost)) throw lost; // the lost connection rolled it back; the lost connection is the failure to report
      });
    }
    const [held] = await Promise.allSettled([this.#confirmed]);
    if (held.status === 'rejected') return held.reason; // other failures are not reported
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

  /** Sends settings that differ from the current ones; a failure rolls them back with the rest. */
  #switchTo(wanted: Settings | undefined): void {
    if (wanted === undefined || this.#current === undefined || isSame(wanted, this.#current)) return;
    void this.#note(sendSettings(this.#client, wanted));
    this.#current = wanted;
  }

  /** A reply may be used once the precondition is confirmed. */
  async #afterConfirmation<Result>(answer: Promise<Result>): Promise<Result> {
    await this.#confirmed;
    return answer;
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

/** The query builder over a function that sends: it has no connection and opens no transaction itself. */
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
