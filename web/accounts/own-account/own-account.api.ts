import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { ownAccountEndpoints } from '#contract/own-account/endpoints.ts';
import type {
  beginSecondFactorBody,
  changePasswordForm,
  confirmSecondFactorBody,
  SecondFactor,
  secondStepBody,
} from '#contract/own-account/schema.ts';
import { callApi } from '#web/platform/api/api.ts';
import { queryCall } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { awaitEnrolment, keepSession } from '#web/platform/session/session.ts';

/** Calls of the person's own account, and the second step of a login. */

const sessionsKey = ['own-sessions'] as const;
const secondFactorKey = ['second-factor'] as const;

/** Finishes a login and keeps its answer on this device. */
export function useFinishLogin() {
  return useMutation({
    mutationFn: (body: z.input<typeof secondStepBody>) => callApi(ownAccountEndpoints.finishLogin, body),
    onSuccess: keepSession,
  });
}

/** The state of one's second factor; for staff. */
export function useSecondFactor(options: { readonly enabled: boolean }) {
  return useQuery<SecondFactor>({
    ...options,
    queryKey: secondFactorKey,
    queryFn: (context) => callApi(ownAccountEndpoints.secondFactor, undefined, queryCall(context)),
  });
}

export function useBeginSecondFactor() {
  return useMutation({
    mutationFn: (body: z.input<typeof beginSecondFactorBody>) => callApi(ownAccountEndpoints.beginSecondFactor, body),
    // The secret goes as soon as nothing shows it.
    gcTime: 0,
  });
}

/** Takes the begun second factor into use; from then on nothing else waits for it. */
export function useConfirmSecondFactor() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof confirmSecondFactorBody>) =>
      callApi(ownAccountEndpoints.confirmSecondFactor, body),
    gcTime: 0,
    onSuccess: () => {
      awaitEnrolment(false);
      void client.invalidateQueries();
    },
  });
}

/** The person's own sessions, the current one first. */
export function useOwnSessions() {
  return useCall(ownAccountEndpoints.listSessions, { key: sessionsKey });
}

function useSessionsChange<Asked>(change: (asked: Asked) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    // Also after a refusal: a session that was gone must leave the list.
    onSettled: () => client.invalidateQueries({ queryKey: sessionsKey }),
  });
}

export function useEndSession() {
  return useSessionsChange(({ tag, password }: { readonly tag: string; readonly password: string }) =>
    callApi(ownAccountEndpoints.endSession, { password }, { params: { tag } }),
  );
}

export function useEndOtherSessions() {
  return useSessionsChange((password: string) => callApi(ownAccountEndpoints.endOtherSessions, { password }));
}

/** Changes the password, which ends every other session. */
export function useChangePassword() {
  return useSessionsChange((body: z.input<typeof changePasswordForm>) =>
    callApi(ownAccountEndpoints.changePassword, body),
  );
}
