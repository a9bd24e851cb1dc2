import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';

/**
 * What happens while PostgreSQL restarts, fails over or cannot be reached: what may be done again is, for at most 3 s,
 * then the answer is 503 (docs/decisions/0020-database-away.md).
 */

/** PostgreSQL is away. Whatever was not committed by then is undone. */
export class DatabaseAway extends Error {
  /** PostgreSQL's code, the system's, or none. */
  readonly code: string | undefined;
  /** Whether the statement may have reached PostgreSQL before the connection was lost. */
  readonly sent: boolean;

  constructor(reason: string, { code, sent = true, cause }: { code?: string; sent?: boolean; cause?: unknown } = {}) {
    super(reason, { cause });
    this.code = code;
    this.sent = sent;
  }
}

/** The answer to a COMMIT was lost: the transaction happened, or it did not. */
export class CommitUnknown extends Error {}

/** Broken or refused connections (08), shutting down or starting (57), a standby (25006); and the system's own codes. */
const AWAY =
  /^(08...|57P0[1235]|25006|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** How the driver says it where there is no code. */
const LOST = /^(Connection terminated|timeout expired)/;
const NEVER_SENT = /is not queryable$/;

/** A failure of the driver's: as {@link DatabaseAway} where it means that PostgreSQL is away, else as it came. */
export function asAway(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseAway) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  // Of several statements on their way the last one cannot have arrived where writing failed.
  const sent = code !== 'EPIPE' && !NEVER_SENT.test(error.message);
  // Without its socket PostgreSQL is away; another file that is missing is something else.
  const isFile = code === 'ENOENT' && !('syscall' in error && error.syscall === 'connect');
  if (
    !NEVER_SENT.test(error.message) &&
    !LOST.test(error.message) &&
    (code === undefined || isFile || !AWAY.test(code))
  )
    return error;
  // The addresses of one name fail together, without a message of their own.
  return new DatabaseAway(error.message || (code ?? error.name), { ...(code && { code }), sent, cause: error });
}

/** For work of which nothing remains if it fails so: reads, and transactions. */
export function isAway(error: unknown): boolean {
  return asAway(error) instanceof DatabaseAway;
}

/** For work that is the same done twice: under an Idempotency-Key, or because a second time changes nothing. */
export function isAwayOrUnknown(error: unknown): boolean {
  return isAway(error) || error instanceof CommitUnknown;
}

/** How long a piece of work, all its parts together, waits for PostgreSQL. */
const RETRY_BUDGET_MS = 3_000;
const PAUSE_MS = 50;

/** Counted from the first failure on. */
interface RetryBudget {
  until: number | undefined;
}

const retryBudget = new AsyncLocalStorage<RetryBudget>();
const budgetOfWhole = new WeakMap<object, RetryBudget>();

/**
 * Does work again while it fails in a way that `mayRepeat` accepts, for 3 s at most; the work around it and within it
 * counts the same 3 s, and so do the other parts of the same `whole`, such as a request. Throws the last failure.
 */
export function whileAway<Result>(
  work: () => Promise<Result>,
  mayRepeat: (error: unknown) => boolean,
  whole: object = {},
): Promise<Result> {
  if (retryBudget.getStore() !== undefined) return repeat(work, mayRepeat);
  const counted = budgetOfWhole.get(whole) ?? { until: undefined };
  budgetOfWhole.set(whole, counted);
  return retryBudget.run(counted, () => repeat(work, mayRepeat));
}

async function repeat<Result>(work: () => Promise<Result>, mayRepeat: (error: unknown) => boolean): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!mayRepeat(error) || retryBudgetLeftMs() <= PAUSE_MS) throw error;
    }
    await setTimeout(PAUSE_MS);
  }
}

/** What is left of the 3 s of the work in hand; whoever asks first begins to count. */
export function retryBudgetLeftMs(): number {
  const counted = retryBudget.getStore();
  if (counted === undefined) return 0;
  counted.until ??= performance.now() + RETRY_BUDGET_MS;
  return counted.until - performance.now();
}
