import { useMutation } from '@tanstack/react-query';
import type { z } from 'zod';
import { onboardingEndpoints } from '#contract/onboarding/endpoints.ts';
import type { activationForm } from '#contract/onboarding/schema.ts';
import { callApi } from '#web/platform/api/api.ts';
import { useCall } from '#web/platform/api/use-call.ts';

/** The state of the person's own activation, and what they said about their business. */
export function useActivation() {
  return useCall(onboardingEndpoints.activation, {
    key: ['activation'],
    // Nothing typed is replaced while somebody types.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Sends who the person is and for which business. */
export function useStateDetails() {
  return useMutation({
    mutationFn: (form: z.input<typeof activationForm>) => callApi(onboardingEndpoints.stateDetails, form),
  });
}

/** How many people wait for activation, and how many buyers are requested; refreshed after an answer. */
export function useOnboardingCounts() {
  return useCall(onboardingEndpoints.onboardingCounts, { key: ['onboarding', 'counts'], staleTime: 0 });
}
