import { useMutation, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { accountEndpoints } from '#contract/accounts/endpoints.ts';
import type { registerBody, resendBody, resetDoBody, resetRequestForm, verifyBody } from '#contract/accounts/schema.ts';
import { ApiFailure, callApi } from '#web/platform/api/api.ts';
import { forgetSession } from '#web/platform/session/session.ts';
import { refreshSession, sessionHeardAt } from './session.api.ts';

/** Calls of sign-up, login, sessions and password reset (docs/specification-coverage.md, 7). */

/** How long the answer to a login counts as fresh on the first screen. */
const JUST_NOW_MS = 10_000;

/** Refreshes the session when the application is opened and whenever its tab comes into view. */
export function useSessionRefresh(): void {
  const heardAt = sessionHeardAt();
  useQuery({
    queryKey: ['session'],
    queryFn: async () => (await refreshSession({ background: true })).success,
    staleTime: JUST_NOW_MS,
    refetchOnWindowFocus: 'always',
    ...(heardAt === undefined ? {} : { initialData: true, initialDataUpdatedAt: heardAt }),
  });
}

export function useRegister() {
  return useMutation({
    mutationFn: (body: z.input<typeof registerBody>) => callApi(accountEndpoints.register, body),
  });
}

export function useVerifyPin() {
  return useMutation({
    mutationFn: (body: z.input<typeof verifyBody>) => callApi(accountEndpoints.verifyUsername, body),
  });
}

export function useResendPin() {
  return useMutation({
    mutationFn: (body: z.input<typeof resendBody>) => callApi(accountEndpoints.resendPin, body),
  });
}

/** Sends a reset code; asked for again, a new one, and the old one dies. */
export function useRequestReset() {
  return useMutation({
    mutationFn: (body: z.input<typeof resetRequestForm>) => callApi(accountEndpoints.requestReset, body),
  });
}

export function useVerifyReset() {
  return useMutation({
    mutationFn: (body: z.input<typeof verifyBody>) => callApi(accountEndpoints.verifyReset, body),
  });
}

/** Sets the new password, which ends every session of the person, this device's as well. */
export function useDoReset() {
  return useMutation({
    mutationFn: (body: z.input<typeof resetDoBody>) => callApi(accountEndpoints.doReset, body),
    onSuccess: forgetSession,
  });
}

/** The message of a refused field, where a failure names one. */
export function fieldMessage(failure: Error | null, field: string): string | undefined {
  return failure instanceof ApiFailure ? failure.fields[field] : undefined;
}
