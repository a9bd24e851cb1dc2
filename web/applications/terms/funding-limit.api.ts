import { limitEndpoints } from '#contract/limits/endpoints.ts';
import { keptForNextVisit } from '#web/platform/api/last-visit.ts';
import { useCall } from '#web/platform/api/use-call.ts';

/** The funding limits of the client's own business, one per currency, and what they can use of them. */
export function useOwnLimits() {
  return useCall(limitEndpoints.ownLimits, {
    ...keptForNextVisit,
    // A submission lowers it.
    staleTime: 0,
  });
}
