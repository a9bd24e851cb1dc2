import { useQuery } from '@tanstack/react-query';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { callApi } from '#web/platform/api/api.ts';
import { queryCall } from '#web/platform/api/query-client.ts';

/** A decision shows by itself. */
const REFRESH_MS = 30_000;

/** What matters to the client now. */
export function useAttention() {
  return useQuery({
    queryKey: ['attention'],
    queryFn: (context) => callApi(applicationEndpoints.attention, undefined, queryCall(context)),
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
  });
}
