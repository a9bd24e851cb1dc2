import { useQuery } from '@tanstack/react-query';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { callApi } from '#web/platform/api.ts';
import { queryCall } from '#web/platform/query-client.ts';

/** Which of the client's applications matters most now; a decision shows by itself. */
const REFRESH_MS = 30_000;

export function useAttention() {
  return useQuery({
    queryKey: ['attention'],
    queryFn: (context) => callApi(applicationEndpoints.attention, undefined, queryCall(context)),
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
  });
}
