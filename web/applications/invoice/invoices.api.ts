import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { businessEndpoints } from '#contract/businesses/endpoints.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { onboardingEndpoints } from '#contract/onboarding/endpoints.ts';
import { referenceEndpoints } from '#contract/reference/endpoints.ts';
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

/** The number of days after which each buyer usually pays. */
export const usualTermsQuery = queryOptions({
  ...queryOf(businessEndpoints.buyerTerms),
  staleTime: LOOKUP_FRESH_MS,
});

/** Requests a missing buyer. If the buyer has been added meanwhile, the select shows it when it is next opened. */
export function useRequestBuyer() {
  const client = useQueryClient();
  return usePost(onboardingEndpoints.requestBuyer, {
    onSuccess: () => invalidate(client, [onboardingEndpoints.ownBuyerRequests]),
    onError: () => invalidate(client, [businessEndpoints.buyerProfiles, businessEndpoints.buyerTerms]),
  });
}
