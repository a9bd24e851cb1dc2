import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';

/**
 * While PostgreSQL restarts, fails over or is unreachable: repeatable work is retried for at most 3 s, then the reply
 * is 503 (docs/decisions/0020-database-away.md).
 */

/** PostgreSQL is away. Everything uncommitted is rolled back. */
export class DatabaseAway extends Error {
  /** PostgreSQL's or the system's code, if any. */
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

/** Broken or refused connections (08), shutting down or starting (57), a standby (25006); and the system's own codes. */
const AWAY =
  /^(08...|57P0[1235]|25006|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** The driver's messages without a code. */
const LOST = /^(Connection terminated|timeout expired)/;
const NEVER_SENT = /is not queryable$/;

/** The error as a {@link DatabaseAway} if it means that PostgreSQL is away, else unchanged. */
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

/** Whether PostgreSQL went away: reads, and transactions before their COMMIT, leave nothing behind then. */
export function isAway(error: unknown): boolean {
  return asAway(error) instanceof DatabaseAway;
}

/** Whether PostgreSQL went away, possibly after it committed. */
export function isAwayOrUnknown(error: unknown): boolean {
  return isAway(error) || error instanceof CommitUnknown;
}

/** How long one piece of work, with all its parts, is retried. */
const RETRY_BUDGET_MS = 3_000;

/** Starts at the first failure. */
interface RetryBudget {
  until: number | undefined;
}

const retryBudget = new AsyncLocalStorage<RetryBudget>();
const budgetOfWhole = new WeakMap<object, RetryBudget>();

/** Runs work whose retries, with those of the other parts of a `whole` such as a request, take 3 s at most. */
export function inRetryBudget<Result>(work: () => Promise<Result>, whole: object = {}): Promise<Result> {
  if (retryBudget.getStore() !== undefined) return work();
  const counted = budgetOfWhole.get(whole) ?? { until: undefined };
  budgetOfWhole.set(whole, counted);
  return retryBudget.run(counted, work);
}

/** What is left of the current work's 3 s; the first call starts the count. */
export function retryBudgetLeftMs(): number {
  const counted = retryBudget.getStore();
  if (counted === undefined) return 0;
  counted.until ??= performance.now() + RETRY_BUDGET_MS;
  return counted.until - performance.now();
}
