import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { keptForNextVisit } from '#web/platform/api/last-visit.ts';
import { liveForClient } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';

/** The matters that currently need the client's attention. */
export function useAttention() {
  return useCall(applicationEndpoints.attention, { ...liveForClient, ...keptForNextVisit });
}
