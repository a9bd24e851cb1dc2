import type { FastifyReply } from 'fastify';
import { AppError } from '#server/calls/app-error.ts';
import { retryAfterSeconds } from '#server/machine/fair-semaphore.ts';

/** Proxies and browsers wait 60 s for a reply. */
const LONGEST_WAIT_MS = 45_000;

/**
 * Aborts if a login has waited too long for its turns, with TOO_MANY_REQUESTS and a Retry-After of seconds, or if its
 * caller has disconnected, which frees its place (docs/decisions/0007-codes-and-logins.md).
 */
export function loginTimeout({ raw }: FastifyReply, longestMs = LONGEST_WAIT_MS): AbortSignal {
  const timeout = new AbortController();
  const giveUp = () => timeout.abort(new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: retryAfterSeconds() }));
  const timer = setTimeout(giveUp, longestMs);
  raw.once('close', () => {
    clearTimeout(timer);
    timeout.abort(new AppError('MALFORMED'));
  });
  return timeout.signal;
}
