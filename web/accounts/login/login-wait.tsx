import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { ApiFailure } from '#web/platform/api/api.ts';

/**
 * When many people log in from one address, the server answers late or says when to try again (docs/decisions/0007).
 */

export const SLOW_LOGIN_MS = 8_000;

/** A login that is sent again automatically. */
export interface LoginRetry {
  readonly afterSeconds: number;
}

/** The retry that a refusal asks for; undefined if the same login would be refused again. */
export function loginRetryAfter(failure: unknown): LoginRetry | undefined {
  if (!(failure instanceof ApiFailure) || failure.retryAfterSeconds === undefined) return undefined;
  const isPassing = failure.code === 'TOO_MANY_REQUESTS' || failure.code === 'UNAVAILABLE';
  return isPassing ? { afterSeconds: failure.retryAfterSeconds } : undefined;
}

interface LoginWaitProps {
  readonly isSlow: boolean;
  readonly retry: LoginRetry | undefined;
  readonly onDue: () => void;
}

/** Explains why a login takes long, and sends it again when due, unless the person types or leaves. */
export function LoginWait({ isSlow, retry, onDue }: LoginWaitProps) {
  useEffect(() => {
    if (retry === undefined) return undefined;
    const timer = setTimeout(onDue, retry.afterSeconds * 1000);
    return () => clearTimeout(timer);
  }, [retry, onDue]);
  if (retry === undefined && !isSlow) return null;
  return (
    <Text size="sm" role="status">
      {retry === undefined
        ? 'This takes longer than usual. Keep this page open.'
        : 'Many people are logging in right now. We try again in a few seconds.'}
    </Text>
  );
}
