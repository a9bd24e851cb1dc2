import { channel } from 'node:diagnostics_channel';

/** A statement that is about to be sent, in the context of whoever asks for it. */
export interface SentQuery {
  readonly text: string;
  /** Settles when PostgreSQL has answered; never unhandled. */
  readonly outcome: Promise<unknown>;
}

/** Whoever wants to know of each statement listens here (platform/tracing.ts); where nobody does, it costs nothing. */
export const queryChannel = channel('kasente:query');

/** Tells of a statement whose outcome is at hand. */
export function tellQuery(text: string, outcome: Promise<unknown>): void {
  outcome.catch(() => undefined);
  queryChannel.publish({ text, outcome } satisfies SentQuery);
}

/** Sends what the driver's `query` was called with and tells of it, in whatever of its ways it says the outcome. */
export function sendAndTell(args: readonly unknown[], send: (args: readonly unknown[]) => unknown): unknown {
  const [statement] = args;
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  tellQuery(textOf(statement), promise);
  const callback = args.at(-1);
  if (typeof callback === 'function') {
    const told = (error: unknown, ...rest: unknown[]): unknown => {
      if (error) reject(error);
      else resolve(undefined);
      return callback(error, ...rest);
    };
    return send([...args.slice(0, -1), told]);
  }
  const answer = send(args);
  const outcome = answer instanceof Promise ? answer : resultOf(statement);
  outcome.then(resolve, reject);
  return answer;
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  const hasText = typeof statement === 'object' && statement !== null && 'text' in statement;
  return hasText && typeof statement.text === 'string' ? statement.text : '';
}

/** A query object of ours has its outcome as `result` (platform/scoped-query.ts, hot-batch.ts). */
function resultOf(statement: unknown): Promise<unknown> {
  const hasResult = typeof statement === 'object' && statement !== null && 'result' in statement;
  return hasResult && statement.result instanceof Promise ? statement.result : Promise.resolve();
}
