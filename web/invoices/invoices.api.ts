import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { businessEndpoints } from '#contract/businesses/endpoints.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { referenceEndpoints } from '#contract/reference/endpoints.ts';
import { arrivedAhead, callApi } from '#web/platform/api.ts';

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

/** The businesses that may be a buyer. */
export function useBuyers() {
  return useQuery({
    queryKey: ['lookups', 'buyers'],
    queryFn: ({ signal }) => callApi(businessEndpoints.buyerProfiles, undefined, { signal }),
    staleTime: LOOKUP_FRESH_MS,
  });
}

/** Deletes a draft of one's own with its documents (decisions, 'The wire'). */
export function useDeleteInvoice(tag: string) {
  return useMutation({
    mutationFn: () => callApi(invoiceEndpoints.deleteInvoice, undefined, { params: { tag } }),
  });
}
