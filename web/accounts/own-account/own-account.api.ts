import { useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { ownAccountEndpoints } from '#contract/own-account/endpoints.ts';
import type { changePasswordForm } from '#contract/own-account/schema.ts';
import { callApi } from '#web/platform/api/api.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useChange, usePost } from '#web/platform/api/use-change.ts';
import { awaitEnrolment, keepSession } from '#web/platform/session/session.ts';

/** Calls of the person's own account, and the second step of a login. */

/** Finishes a login and keeps its reply on this device. */
export function useFinishLogin() {
  return usePost(ownAccountEndpoints.finishLogin, { onSuccess: keepSession });
}

/** The state of the person's second factor; for staff. */
export function useSecondFactor(enabled: boolean) {
  return useCall(ownAccountEndpoints.secondFactor, { enabled });
}

export function useBeginSecondFactor() {
  // The secret is dropped from the cache as soon as nothing shows it.
  return usePost(ownAccountEndpoints.beginSecondFactor, { gcTime: 0 });
}

/** Confirms the second factor that was set up. From then on it blocks nothing else. */
export function useConfirmSecondFactor() {
  const client = useQueryClient();
  return usePost(ownAccountEndpoints.confirmSecondFactor, {
    gcTime: 0,
    onSuccess: () => {
      awaitEnrolment(false);
      void client.invalidateQueries();
    },
  });
}

/** The person's own sessions, the current one first. */
export function useOwnSessions() {
  return useCall(ownAccountEndpoints.listSessions);
}

/** Reloads the list after a refusal too: a session that no longer exists must leave the list. */
function useSessionsChange<Asked>(change: (asked: Asked) => Promise<unknown>) {
  return useChange(change, [ownAccountEndpoints.listSessions]);
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
