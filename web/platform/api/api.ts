import type { z } from 'zod';
import { BUSY } from '#contract/busy.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { FailureCode } from '#contract/errors.ts';
import { takeAnswerBeforeHydration } from '#web/platform/hydration/before-hydration.ts';
import { forgetPrefetched, takePrefetched } from '#web/platform/prefetch/prefetched.ts';
import { recordOf } from '#web/platform/record.ts';
import { awaitEnrolment, forgetSession, sessionEndings } from '#web/platform/session/session.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { type Asked, urlOf } from './question.ts';

/** Why a call failed: a code from the server's catalogue, or NETWORK if no reply arrived. */
export class ApiFailure extends Error {
  readonly code: FailureCode | 'NETWORK';
  /** Messages by field path. */
  readonly fields: Readonly<Record<string, string>>;
  readonly retryAfterSeconds: number | undefined;
  /** The whole reply, because some failures have more fields (PIN_PENDING's `userTag` and `mode`). */
  readonly answer: Readonly<Record<string, unknown>>;

  constructor(
    code: FailureCode | 'NETWORK',
    msg: string,
    details: Partial<Pick<ApiFailure, 'fields' | 'retryAfterSeconds' | 'answer'>> = {},
  ) {
    super(msg);
    this.name = 'ApiFailure';
    this.code = code;
    this.fields = details.fields ?? {};
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.answer = details.answer ?? {};
  }
}

const NO_CONNECTION = 'No connection. Check your network and try again.';

interface CallOptions extends Pick<Asked, 'params' | 'query'> {
  /** The body of an endpoint that accepts bytes. */
  readonly bytes?: Blob;
  readonly signal?: AbortSignal;
  /**
   * How long to wait for a reply before the connection counts as dead. Only for calls that can be repeated; used
   * instead of `signal`.
   */
  readonly timeoutMs?: number;
  /** Whether the call was not triggered by the person. If so, it doesn't extend the session (docs/decisions/0041). */
  readonly background?: boolean;
  /** The same for every attempt of one action, so that repeating a call has no further effect. Generated if absent. */
  readonly idempotencyKey?: string;
}

/**
 * Calls an endpoint of the contract and returns its reply. Throws {@link ApiFailure} for every refusal and for a lost
 * connection. If the session has ended, deletes it on this device, which leads to the login screen. If a second factor
 * is required, its set-up is shown (shell/guards.tsx).
 */
export function callApi<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  ...[body, options]: z.input<B> extends undefined
    ? [body?: undefined, options?: CallOptions]
    : [body: z.input<B>, options?: CallOptions]
): Promise<z.output<R>> {
  return callWith(endpoint, body, options);
}

/** Like {@link callApi}, for an endpoint passed as a parameter, where the types don't say whether it has a body. */
export async function callWith<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  body: z.input<B> | undefined,
  options: CallOptions = {},
): Promise<z.output<R>> {
  const sentAfter = sessionEndings();
  const prefetchedReply = await takePrefetched({ ...options, endpoint, body });
  if (prefetchedReply !== undefined) return prefetchedReply as z.output<R>;
  const response = await send(endpoint, urlOf(endpoint, options), body, options);
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw readFailure(answer, response.headers.get('retry-after'), sentAfter);
  // Every successful reply is JSON, so one without JSON was truncated.
  if (answer === undefined) throw logged(new ApiFailure('NETWORK', NO_CONNECTION));
  // The contract's tests check the server's replies. Parsing them again here would slow down every phone.
  return answer as z.output<R>;
}

async function send(endpoint: Endpoint, url: string, body: unknown, options: CallOptions): Promise<Response> {
  const headers: Record<string, string> = { 'X-Requested-With': 'fetch' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (options.bytes !== undefined) headers['Content-Type'] = 'application/octet-stream';
  if (options.background) headers['X-Background'] = '1';
  if (endpoint.method === 'POST' && endpoint.changes)
    headers['Idempotency-Key'] = options.idempotencyKey ?? uniqueKey();
  const timeout = new AbortController();
  const timer = options.timeoutMs === undefined ? undefined : setTimeout(() => timeout.abort(), options.timeoutMs);
  try {
    const answered = takeAnswerBeforeHydration(url);
    if (answered !== undefined) return await answered;
    return await fetch(url, {
      method: endpoint.method,
      headers,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(options.bytes === undefined ? {} : { body: options.bytes }),
      signal: options.signal ?? timeout.signal,
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw logged(new ApiFailure('NETWORK', NO_CONNECTION));
  } finally {
    clearTimeout(timer);
    // Prefetched replies may be older than the change.
    if (endpoint.changes) forgetPrefetched();
  }
}

/**
 * The failure in a reply. Also for callers that don't use fetch, such as uploads with progress. `sentAfter` is the
 * number of sessions that had ended here when the call was sent ({@link sessionEndings}).
 */
export function readFailure(answer: unknown, retryAfter: string | null, sentAfter: number): ApiFailure {
  const known = recordOf(answer);
  const code = typeof known.code === 'string' ? (known.code as FailureCode) : 'UNAVAILABLE';
  // A late reply to an ended session doesn't apply to the next session.
  if (code === 'NOT_SIGNED_IN' && sentAfter === sessionEndings()) forgetSession();
  if (code === 'SECOND_FACTOR_NEEDED') awaitEnrolment(true);
  const seconds = Number(retryAfter);
  // A proxy in front of the server replies in its own format, without `msg`.
  const failure = new ApiFailure(code, typeof known.msg === 'string' ? known.msg : BUSY, {
    fields: isTexts(known.fields) ? known.fields : {},
    retryAfterSeconds: seconds > 0 ? seconds : undefined,
    answer: known,
  });
  return logged(failure);
}

/** Logs a failed call (docs/specification-coverage.md, 7), but never its reply, which may contain handles. */
export function logged(failure: ApiFailure): ApiFailure {
  console.warn(`${failure.code}: ${failure.message}`);
  return failure;
}

function isTexts(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string');
}
