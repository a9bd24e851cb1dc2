import { useEffect } from 'react';
import { onboardingEndpoints } from '#contract/onboarding/endpoints.ts';
import { refreshSession } from '#web/accounts/session.api.ts';
import { liveForClient } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';

/** The state of the person's own activation, and the details they gave of their business. */
export function useActivation() {
  return useCall(onboardingEndpoints.activation, { ...liveForClient, gcTime: 0 });
}

/** Once the person is active, renews the session, which brings their permissions and with them the dashboard. */
export function useSessionOnceActive(): void {
  const { data, dataUpdatedAt } = useActivation();
  const isActive = data?.waiting === false;
  // Again with each reply, in case the last renewal failed.
  useEffect(() => {
    if (isActive && dataUpdatedAt > 0) void refreshSession({ background: true }).catch(() => undefined);
  }, [isActive, dataUpdatedAt]);
}
