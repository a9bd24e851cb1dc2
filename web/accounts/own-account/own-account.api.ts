import { useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { ownAccountEndpoints } from '#contract/own-account/endpoints.ts';
import type { changePasswordForm } from '#contract/own-account/schema.ts';
import { callApi } from '#web/platform/api/api.ts';
import { useChange, usePost } from '#web/platform/api/use-change.ts';
import { awaitEnrolment } from '#web/platform/session/session.ts';

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
