import { useMutation, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { onboardingEndpoints } from '#contract/onboarding/endpoints.ts';
import type { activationForm } from '#contract/onboarding/schema.ts';
import { callApi } from '#web/platform/api/api.ts';
import { queryCall } from '#web/platform/api/query-client.ts';

/** How one's own activation stands, and what one said of one's business. */
export function useActivation() {
  return useQuery({
    queryKey: ['activation'],
    queryFn: (context) => callApi(onboardingEndpoints.activation, undefined, queryCall(context)),
    // Nothing typed is replaced while somebody types.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Says who one is and for which business. */
export function useStateDetails() {
  return useMutation({
    mutationFn: (form: z.input<typeof activationForm>) => callApi(onboardingEndpoints.stateDetails, form),
  });
}

/** How many people wait for activation, and how many buyers are to be added; an answer to a request has it asked for again. */
export function useOnboardingCounts() {
  return useQuery({
    queryKey: ['onboarding', 'counts'],
    queryFn: (context) => callApi(onboardingEndpoints.onboardingCounts, undefined, queryCall(context)),
    staleTime: 0,
  });
}
