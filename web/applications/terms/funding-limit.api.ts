import { useQuery } from '@tanstack/react-query';
import { limitEndpoints } from '#contract/limits/endpoints.ts';
import { callApi } from '#web/platform/api/api.ts';
import { queryCall } from '#web/platform/api/query-client.ts';

/** The funding limits of the client's own business, a currency each, and what is left of them. */
export function useOwnLimits() {
  return useQuery({
    queryKey: ['limits', 'own'],
    queryFn: (context) => callApi(limitEndpoints.ownLimits, undefined, queryCall(context)),
    // Whoever comes back from submitting finds less of it.
    staleTime: 0,
  });
}
