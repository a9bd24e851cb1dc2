import { onboardingEndpoints } from '#contract/onboarding/endpoints.ts';
import { useCall } from '#web/platform/api/use-call.ts';

/** The state of the person's own activation, and the details they gave of their business. */
export function useActivation() {
  return useCall(onboardingEndpoints.activation, {
    // Nothing is replaced while somebody types.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}
