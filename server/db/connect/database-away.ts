import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';

/**
 * While PostgreSQL restarts, fails over or is unreachable, we retry repeatable work for at most 3 s, and then reply 503
 * (docs/decisions/0020-database-away.md).
 */

/** PostgreSQL is away. Everything uncommitted is rolled back. */
export class DatabaseAway extends Error {
  /** The error code of PostgreSQL or the system, if any. */
  readonly code: string | undefined;
  /** Whether the statement may have reached PostgreSQL before the connection was lost. */
  readonly sent: boolean;

  constructor(reason: string, { code, sent = true, cause }: { code?: string; sent?: boolean; cause?: unknown } = {}) {
    super(reason, { cause });
    this.code = code;
    this.sent = sent;
  }
}

/** The reply to a COMMIT was lost: the transaction may or may not have been committed. */
export class CommitUnknown extends Error {}

/** Broken or refused connections (08), shutdown and startup (57), a standby (25006), and error codes of the system. */
const AWAY =
  /^(08...|57P0[1235]|25006|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** Messages of the driver's errors that have no code. */
const LOST = /^(Connection terminated|timeout expired)/;
const NEVER_SENT = /is not queryable$/;

/** Returns the error as a {@link DatabaseAway} if it means that PostgreSQL is away, else unchanged. */
export function asAway(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseAway) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  // If writing failed, the last of several statements cannot have arrived.
  const sent = code !== 'EPIPE' && !NEVER_SENT.test(error.message);
  // A missing socket means that PostgreSQL is away; any other missing file does not.
  const isFile = code === 'ENOENT' && !('syscall' in error && error.syscall === 'connect');
  if (
    !NEVER_SENT.test(error.message) &&
    !LOST.test(error.message) &&
    (code === undefined || isFile || !AWAY.test(code))
  )
    return error;
  // If all addresses of a name fail, the error has no message of its own.
  return new DatabaseAway(error.message || (code ?? error.name), { ...(code && { code }), sent, cause: error });
}

/** Whether PostgreSQL went away before committing. Reads, and transactions before their COMMIT, then leave no trace. */
export function isAway(error: unknown): boolean {
  return asAway(error) instanceof DatabaseAway;
}

/** Whether PostgreSQL went away, possibly after it committed. */
export function isAwayOrUnknown(error: unknown): boolean {
  return isAway(error) || error instanceof CommitUnknown;
}

/** How long one piece of work is retried, including all its parts. */
const RETRY_BUDGET_MS = 3_000;

/** Set at the first failure. */
interface RetryBudget {
  until: number | undefined;
}

const retryBudget = new AsyncLocalStorage<RetryBudget>();
const budgetOfWhole = new WeakMap<object, RetryBudget>();

/** Runs work whose retries take at most 3 s, together with those of all other parts of a `whole`, such as a request. */
export function inRetryBudget<Result>(work: () => Promise<Result>, whole: object = {}): Promise<Result> {
  if (retryBudget.getStore() !== undefined) return work();
  const counted = budgetOfWhole.get(whole) ?? { until: undefined };
  budgetOfWhole.set(whole, counted);
  return retryBudget.run(counted, work);
}

/** The rest of the current work's 3 s, which start at the first call. */
export function retryBudgetLeftMs(): number {
  const counted = retryBudget.getStore();
  if (counted === undefined) return 0;
  counted.until ??= performance.now() + RETRY_BUDGET_MS;
  return counted.until - performance.now();
}
