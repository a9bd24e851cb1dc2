import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { onboardingEndpoints } from '#contract/onboarding/endpoints.ts';
import type { activationForm, addBuyerBody, BuyerRequestRow, refuseBuyerForm } from '#contract/onboarding/schema.ts';
import { callApi } from '#web/platform/api/api.ts';
import { queryCall } from '#web/platform/api/query-client.ts';

const activationKey = ['activation'] as const;
const onboardingKey = ['onboarding'] as const;

/** How one's own activation stands, and what one said of one's business. */
export function useActivation() {
  return useQuery({
    queryKey: activationKey,
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

/** How many people wait for activation, and how many buyers are to be added. */
export function useOnboardingCounts() {
  return useQuery({
    queryKey: [...onboardingKey, 'counts'],
    queryFn: (context) => callApi(onboardingEndpoints.onboardingCounts, undefined, queryCall(context)),
    staleTime: 0,
  });
}

/** A page of the buyers that clients ask for. */
export function useBuyerRequests(page: number) {
  return useQuery<BuyerRequestRow[]>({
    queryKey: [...onboardingKey, 'buyers', page],
    queryFn: (context) => callApi(onboardingEndpoints.listBuyerRequests, { page }, queryCall(context)),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** What shows requests, and the businesses that answer them. */
const answered = [onboardingKey, ['businesses'], ['profiles'], ['lookups', 'buyers']] as const;

function useAnswer<Body>(answer: (body: Body) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: answer,
    // Refused too, because another officer may have been faster: the list shows what they did.
    onSettled: () => Promise.all(answered.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}

/** Answers a request with its buyer. */
export function useAddBuyer(tag: string) {
  return useAnswer((body: z.input<typeof addBuyerBody>) =>
    callApi(onboardingEndpoints.addBuyer, body, { params: { tag } }),
  );
}

/** Answers a request with a reason why not. */
export function useRefuseBuyer(tag: string) {
  return useAnswer((body: z.input<typeof refuseBuyerForm>) =>
    callApi(onboardingEndpoints.refuseBuyer, body, { params: { tag } }),
  );
}
