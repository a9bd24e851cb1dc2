import { ApiFailure } from './api.ts';

const RETRIES = 2;

/** Whether a load is worth asking again: refusals are final; only a lost network or a busy server is not. */
export function isWorthRetrying(failures: number, error: Error): boolean {
  const isPassing = error instanceof ApiFailure && (error.code === 'NETWORK' || error.code === 'UNAVAILABLE');
  return isPassing && failures < RETRIES;
}

/** A second, then two, but never before a busy server asks to be asked again. */
export function retryDelayMs(failures: number, error: Error): number {
  const askedSeconds = error instanceof ApiFailure ? (error.retryAfterSeconds ?? 0) : 0;
  return Math.max(1000 * 2 ** failures, 1000 * askedSeconds);
}
