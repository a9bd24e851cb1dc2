import pg from 'pg';

declare module 'pg' {
  /** What the driver calls with each of PostgreSQL's answers; its types leave it out. */
  interface Query {
    handleDataRow(message: unknown): void;
    handleCommandComplete(message: unknown, connection: pg.Connection): void;
  }
}

/** What a scope sets, for one transaction. */
export interface Settings {
  readonly role: string;
  readonly business: string;
  readonly person: string;
}

/** The statement that sets a scope; it must be prepared on a connection before a {@link ScopedQuery} is sent on it. */
export function settingStatement(settings: Settings) {
  return {
    name: SETTING,
    text: `select set_config('role', $1, true), set_config('kasente.business', $2, true),
      set_config('kasente.person', $3, true)`,
    values: valuesOf(settings),
  };
}

/** The same without parameters, to go with BEGIN. */
export function settingText(settings: Settings): string {
  const [role, business, person] = valuesOf(settings).map((value) => pg.escapeLiteral(value));
  return `select set_config('role', ${role}, true), set_config('kasente.business', ${business}, true),
    set_config('kasente.person', ${person}, true)`;
}

const SETTING = 'kasente scope';

function valuesOf({ role, business, person }: Settings): string[] {
  return [role, business, person];
}

/**
 * A statement in a scope, in one round trip: PostgreSQL takes everything up to the driver's Sync for one transaction, so
 * that what is set in front of the statement ends with it. Within a longer transaction `after` sets back what was.
 */
export class ScopedQuery extends pg.Query {
  readonly result: Promise<pg.QueryResult>;
  /** How many commands PostgreSQL has answered: the first is the setting, the second the statement. */
  #answered = 0;

  constructor(statement: pg.QueryConfig & { readonly name: string }, before: Settings, after?: Settings) {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    super(statement, (error, result) => (error ? reject(error) : resolve(result)));
    this.result = promise;
    const submit = this.submit.bind(this);
    this.submit = (connection) => {
      // Written to the network at once.
      connection.stream.cork();
      try {
        set(connection, before);
        return submit(after === undefined ? connection : settingBefore(connection, after));
      } finally {
        connection.stream.uncork();
      }
    };
  }

  override handleDataRow(message: unknown): void {
    if (this.#answered === 1) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    this.#answered += 1;
    if (this.#answered === 2) super.handleCommandComplete(message, connection);
  }
}

function set(connection: pg.Connection, settings: Settings): void {
  connection.bind({ portal: '', statement: SETTING, values: valuesOf(settings) }, true);
  connection.execute({ portal: '' }, true);
}

/** The connection as it is, but that it makes these settings before its Sync. */
function settingBefore(connection: pg.Connection, settings: Settings): pg.Connection {
  return Object.create(connection, {
    sync: {
      value: () => {
        set(connection, settings);
        connection.sync();
      },
    },
  });
}
