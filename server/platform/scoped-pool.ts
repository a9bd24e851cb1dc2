import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { currentScope, type RowScope } from '#server/platform/row-scope.ts';
import { CLIENT_ROLE, type Enforcement } from '#server/platform/row-security.ts';
import { ScopedQuery, type Settings, settingStatement, settingText } from '#server/platform/scoped-query.ts';
import { nameOf } from '#server/platform/statement-names.ts';

/**
 * A pool for the query builder, over the server's own, that puts every statement into the scope of the request it belongs
 * to (platform/row-scope.ts), and into nobody's where there is none. What it sets is a transaction's, so that nothing stays
 * on a connection, also through PgBouncer, and travels with BEGIN or in front of a statement: no round trip is added.
 */
export function scopedPool(pool: pg.Pool, enforcement: () => Promise<Enforcement>): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    connect: async () => {
      const { ownRole } = await enforcement();
      const client = await pool.connect();
      const known = clients.get(client) ?? scopedClient(client, ownRole);
      clients.set(client, known);
      return known;
    },
    end: async () => undefined, // the server's pool is not this one's to end
  };
}

function scopedClient(client: pg.PoolClient, ownRole: string | undefined): PostgresPoolClient {
  // Where nothing can be enforced, statements go as they come; the start said so.
  const scoped = ownRole === undefined ? client : new ScopedConnection(client, ownRole);
  return {
    // biome-ignore lint/suspicious/noExplicitAny: the query builder's type has an overload for cursors, which nobody uses.
    query: (text: any, values?: readonly unknown[]): any => scoped.query(text, [...(values ?? [])]),
    release: (destroy) => client.release(destroy),
  };
}

/** One connection: in a transaction of some scope, or between transactions. */
class ScopedConnection {
  readonly #client: pg.PoolClient;
  /** What the server itself works under. */
  readonly #own: Settings;
  #transaction: Settings | undefined;
  #isPrepared = false;

  constructor(client: pg.PoolClient, ownRole: string) {
    this.#client = client;
    this.#own = { role: ownRole, business: '', person: '' };
  }

  query(text: string, values: unknown[]): Promise<unknown> {
    if (text === 'begin' || text.startsWith('start transaction')) return this.#begin(text);
    if (text === 'commit' || text === 'rollback') return this.#end(text);
    return this.#run(text, values);
  }

  async #begin(text: string): Promise<unknown> {
    const settings = this.#settingsOf(currentScope());
    const opening = isSame(settings, this.#own) ? text : `${text}; ${settingText(settings)}`;
    const answers: unknown = await this.#client.query(opening);
    this.#transaction = settings;
    return Array.isArray(answers) ? answers[0] : answers;
  }

  async #end(text: string): Promise<unknown> {
    this.#transaction = undefined;
    return this.#client.query(text);
  }

  async #run(text: string, values: unknown[]): Promise<unknown> {
    const scope = currentScope();
    // What has lost its context within a transaction stays in the transaction's scope.
    const settings = scope === undefined && this.#transaction ? this.#transaction : this.#settingsOf(scope);
    const around = this.#transaction ?? this.#own;
    // PostgreSQL plans for a role: under one name the plans of two would drive each other out.
    const name = settings.role === CLIENT_ROLE ? `${nameOf(text)}-scoped` : nameOf(text);
    if (isSame(settings, around)) return this.#client.query(values.length === 0 ? { text } : { name, text, values });
    if (!this.#isPrepared) await this.#client.query(settingStatement(around));
    this.#isPrepared = true;
    const query = new ScopedQuery({ name, text, values }, settings, this.#transaction);
    this.#client.query(query);
    return query.result;
  }

  #settingsOf(scope: RowScope | undefined): Settings {
    if (scope?.of === 'everybody') return this.#own;
    if (scope?.of !== 'client') return { role: CLIENT_ROLE, business: '', person: '' };
    return { role: CLIENT_ROLE, business: String(scope.businessId ?? ''), person: String(scope.personId) };
  }
}

function isSame(one: Settings, other: Settings): boolean {
  return one.role === other.role && one.business === other.business && one.person === other.person;
}
