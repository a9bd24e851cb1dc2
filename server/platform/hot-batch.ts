import pg from 'pg';
import type { HotStatement } from '#server/platform/hot-session.ts';

declare module 'pg' {
  interface Connection {
    /** What the driver has sent to be prepared and not heard of; its types leave it out. */
    readonly submittedNamedStatements: Record<string, string>;
  }
  interface Query {
    hasBeenParsed(connection: pg.Connection): boolean;
  }
}

/**
 * One prepared statement several times, with other values each time, in one round trip and one transaction: up to the
 * driver's Sync PostgreSQL takes everything for one. Each sees what those before it did; one that fails undoes all.
 */
export class HotBatch extends pg.Query {
  /** The first column of each one's row as text, in their order, undefined where there was no row; after the COMMIT. */
  readonly result: Promise<readonly (string | undefined)[]>;
  readonly #found: (string | undefined)[];
  #answered = 0;

  constructor({ name, text }: HotStatement, each: readonly (readonly unknown[])[]) {
    const found = Array.from<string | undefined>({ length: each.length });
    const { promise, resolve, reject } = Promise.withResolvers<readonly (string | undefined)[]>();
    super({ name, text, values: [...(each.at(-1) ?? [])] }, (error) => (error ? reject(error) : resolve(found)));
    this.result = promise;
    this.#found = found;
    const submit = this.submit.bind(this);
    this.submit = (connection) => {
      // Written to the network at once.
      connection.stream.cork();
      try {
        if (!this.hasBeenParsed(connection)) {
          connection.parse({ name, text, types: [] }, true);
          connection.submittedNamedStatements[name] = text;
        }
        for (const values of each.slice(0, -1)) {
          connection.bind({ portal: '', statement: name, values: values.map(writable) }, true);
          connection.execute({ portal: '' }, true);
        }
        return submit(connection);
      } finally {
        connection.stream.uncork();
      }
    };
  }

  override handleDataRow(message: unknown): void {
    if (typeof message !== 'object' || message === null || !('fields' in message)) return;
    const [first]: unknown[] = Array.isArray(message.fields) ? message.fields : [];
    if (typeof first === 'string') this.#found[this.#answered] = first;
  }

  override handleCommandComplete(): void {
    this.#answered += 1;
  }
}

/** As the driver writes values: bytes as they are, everything else as text. */
function writable(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  return Buffer.isBuffer(value) ? value : String(value);
}
