import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { businessEndpoints } from '#contract/businesses/endpoints.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { onboardingEndpoints } from '#contract/onboarding/endpoints.ts';
import { referenceEndpoints } from '#contract/reference/endpoints.ts';
import { callApi } from '#web/platform/api/api.ts';
import { LOOKUP_FRESH_MS } from '#web/platform/api/query-client.ts';
import { invalidate, prefetched, queryOf, useCall } from '#web/platform/api/use-call.ts';
import { usePost } from '#web/platform/api/use-change.ts';

/** An invoice with its application. Fetched whenever it is opened, and never refetched while somebody edits it. */
export function invoiceQuery(tag: string) {
  return queryOptions({
    ...queryOf(invoiceEndpoints.loadInvoice, { params: { tag } }),
    initialData: () => prefetched(invoiceEndpoints.loadInvoice, { tag }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

export function useCurrencies() {
  return useCall(referenceEndpoints.currencies, { staleTime: LOOKUP_FRESH_MS });
}

/** The tax rates, for proposing the VAT in an amount. */
export function useTaxRates(enabled: boolean) {
  return useCall(referenceEndpoints.taxRates, { enabled, staleTime: LOOKUP_FRESH_MS });
}

/** The businesses that can be chosen as a buyer. */
export function useBuyers() {
  return useCall(businessEndpoints.buyerProfiles, { staleTime: LOOKUP_FRESH_MS });
}

/** The number of days after which each buyer usually pays. */
export const usualTermsQuery = queryOptions({
  ...queryOf(businessEndpoints.buyerTerms),
  staleTime: LOOKUP_FRESH_MS,
});

/** The buyers that the person's own business requested lately. */
export function useOwnBuyerRequests(enabled: boolean) {
  return useCall(onboardingEndpoints.ownBuyerRequests, { enabled, staleTime: 0 });
}

/** Requests a missing buyer. If the buyer has been added meanwhile, the select shows it when it is next opened. */
export function useRequestBuyer() {
  const client = useQueryClient();
  return usePost(onboardingEndpoints.requestBuyer, {
    onSuccess: () => invalidate(client, [onboardingEndpoints.ownBuyerRequests]),
    onError: () => invalidate(client, [businessEndpoints.buyerProfiles, businessEndpoints.buyerTerms]),
  });
}

/** Deletes the person's own draft and its documents. */
export function useDeleteInvoice(tag: string) {
  return useMutation({
    mutationFn: () => callApi(applicationEndpoints.deleteInvoice, undefined, { params: { tag } }),
  });
}
