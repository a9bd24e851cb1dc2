import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { referenceEndpoints } from '#contract/reference/endpoints.ts';
import { callApi } from '#web/platform/api/api.ts';
import { LOOKUP_FRESH_MS } from '#web/platform/api/query-client.ts';
import { keyOf } from '#web/platform/api/query-key.ts';
import { queryOf, useCall } from '#web/platform/api/use-call.ts';

/** The financing periods on offer. */
export const financingPeriodsQuery = queryOptions({
  ...queryOf(referenceEndpoints.financingPeriods),
  staleTime: LOOKUP_FRESH_MS,
});

export function useFinancingPeriods() {
  return useQuery(financingPeriodsQuery);
}

/** The server's reference for a new application, fetched once per screen (docs/specification-coverage.md, 3). */
export function referenceQuery(screen: string) {
  return queryOptions({
    queryKey: [...keyOf(invoiceEndpoints.createGuid), screen],
    queryFn: async () => (await callApi(invoiceEndpoints.createGuid, undefined)).guid,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/**
 * What a client must meet to submit anything, and how long a saved draft is kept waiting. The tag is the draft's, once
 * it is saved.
 */
export function useRequirements(tag: string | undefined) {
  return useCall(applicationEndpoints.requirements, {
    query: tag === undefined ? {} : { tag },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}
