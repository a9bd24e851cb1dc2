import { queryOptions, useQuery } from '@tanstack/react-query';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { referenceEndpoints } from '#contract/reference/endpoints.ts';
import { callApi } from '#web/platform/api.ts';

/** Reference data hardly ever changes while somebody has the application open. */
const LOOKUP_FRESH_MS = 10 * 60 * 1000;

/** The financing periods on offer. */
export const financingPeriodsQuery = queryOptions({
  queryKey: ['lookups', 'financing-periods'],
  queryFn: ({ signal }) => callApi(referenceEndpoints.financingPeriods, undefined, { signal }),
  staleTime: LOOKUP_FRESH_MS,
});

export function useFinancingPeriods() {
  return useQuery(financingPeriodsQuery);
}

/** The server's reference for a new application, asked for once a screen (specification, section 3). */
export function referenceQuery(screen: string) {
  return queryOptions({
    queryKey: ['references', screen],
    queryFn: async () => (await callApi(invoiceEndpoints.createGuid, undefined)).guid,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What still stands in the way of submitting, as the server sees it. The tag is the invoice's. */
export function checkSubmission(tag: string) {
  return callApi(applicationEndpoints.checkSubmission, undefined, { params: { tag } });
}

/** Submits an application; the same key for every try of one confirmation. */
export function submitApplication(tag: string, idempotencyKey: string) {
  return callApi(applicationEndpoints.submitApplication, undefined, { params: { tag }, idempotencyKey });
}
