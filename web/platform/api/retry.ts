import { ApiFailure } from './api.ts';

const RETRIES = 2;

/** Whether to repeat a load: after a lost connection or with a busy server, but not after a refusal, which is final. */
export function isWorthRetrying(failures: number, error: Error): boolean {
  const isPassing = error instanceof ApiFailure && (error.code === 'NETWORK' || error.code === 'UNAVAILABLE');
  return isPassing && failures < RETRIES;
}

/** One second, then two, but never earlier than a busy server allows. */
export function retryDelayMs(failures: number, error: Error): number {
  const askedSeconds = error instanceof ApiFailure ? (error.retryAfterSeconds ?? 0) : 0;
  return Math.max(1000 * 2 ** failures, 1000 * askedSeconds);
}
