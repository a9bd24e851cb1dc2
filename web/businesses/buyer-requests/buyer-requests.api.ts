import { keepPreviousData } from '@tanstack/react-query';
import type { z } from 'zod';
import { businessEndpoints } from '#contract/businesses/endpoints.ts';
import { onboardingEndpoints } from '#contract/onboarding/endpoints.ts';
import type { addBuyerBody, refuseBuyerForm } from '#contract/onboarding/schema.ts';
import { callApi } from '#web/platform/api/api.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useChange } from '#web/platform/api/use-change.ts';

/** A page of the buyers that clients requested. */
export function useBuyerRequests(page: number) {
  return useCall(onboardingEndpoints.listBuyerRequests, {
    body: { page },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Endpoints whose replies show or count requests, or the businesses that answer them. */
const answered = [
  onboardingEndpoints.listBuyerRequests,
  onboardingEndpoints.onboardingCounts,
  businessEndpoints.listBusinesses,
  businessEndpoints.clientProfiles,
  businessEndpoints.buyerProfiles,
  businessEndpoints.buyerTerms,
];

/** Answers a request by adding its buyer. */
export function useAddBuyer(tag: string) {
  return useChange(
    (body: z.input<typeof addBuyerBody>) => callApi(onboardingEndpoints.addBuyer, body, { params: { tag } }),
    answered,
  );
}

/** Answers a request with a reason for refusing it. */
export function useRefuseBuyer(tag: string) {
  return useChange(
    (body: z.input<typeof refuseBuyerForm>) => callApi(onboardingEndpoints.refuseBuyer, body, { params: { tag } }),
    answered,
  );
}
