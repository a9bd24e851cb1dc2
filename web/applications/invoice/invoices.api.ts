import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { businessEndpoints } from '#contract/businesses/endpoints.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { onboardingEndpoints } from '#contract/onboarding/endpoints.ts';
import { referenceEndpoints } from '#contract/reference/endpoints.ts';
import { arrivedAhead, callApi } from '#web/platform/api/api.ts';

/** Reference data hardly ever changes while somebody has the application open. */
const LOOKUP_FRESH_MS = 10 * 60 * 1000;

/**
 * An invoice with its application. It is asked for anew whenever it is opened, and never behind the back of somebody
 * who is typing into it.
 */
export function invoiceQuery(tag: string) {
  return queryOptions({
    queryKey: ['invoices', 'one', tag],
    queryFn: ({ signal }) => callApi(invoiceEndpoints.loadInvoice, undefined, { params: { tag }, signal }),
    initialData: () => arrivedAhead(invoiceEndpoints.loadInvoice, { tag }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

export function useCurrencies() {
  return useQuery({
    queryKey: ['lookups', 'currencies'],
    queryFn: ({ signal }) => callApi(referenceEndpoints.currencies, undefined, { signal }),
    staleTime: LOOKUP_FRESH_MS,
  });
}

const buyersKey = ['lookups', 'buyers'] as const;

/** The businesses that may be a buyer. */
export function useBuyers() {
  return useQuery({
    queryKey: buyersKey,
    queryFn: ({ signal }) => callApi(businessEndpoints.buyerProfiles, undefined, { signal }),
    staleTime: LOOKUP_FRESH_MS,
  });
}

const buyerRequestsKey = ['buyer-requests'] as const;

/** The buyers that one's business asked for lately. */
export function useOwnBuyerRequests(enabled: boolean) {
  return useQuery({
    queryKey: buyerRequestsKey,
    queryFn: ({ signal }) => callApi(onboardingEndpoints.ownBuyerRequests, undefined, { signal }),
    enabled,
    staleTime: 0,
  });
}

/** Asks for a buyer that is not offered. Where it is offered by now, the select has it when it is next opened. */
export function useRequestBuyer() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (form: { readonly name: string }) => callApi(onboardingEndpoints.requestBuyer, form),
    onSuccess: () => client.invalidateQueries({ queryKey: buyerRequestsKey }),
    onError: () => client.invalidateQueries({ queryKey: buyersKey }),
  });
}

/** Deletes a draft of one's own with its documents (decisions, 'The wire'). */
export function useDeleteInvoice(tag: string) {
  return useMutation({
    mutationFn: () => callApi(applicationEndpoints.deleteInvoice, undefined, { params: { tag } }),
  });
}
