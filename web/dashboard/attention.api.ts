import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { liveForClient } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';

/** What matters to the client now. */
export function useAttention() {
  return useCall(applicationEndpoints.attention, { key: ['attention'], ...liveForClient });
}
