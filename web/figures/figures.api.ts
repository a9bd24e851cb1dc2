import { useQuery } from '@tanstack/react-query';
import { deskEndpoints } from '#contract/desk/endpoints.ts';
import { figureEndpoints } from '#contract/figures/endpoints.ts';
import { callApi } from '#web/platform/api/api.ts';
import { queryCall } from '#web/platform/api/query-client.ts';

/** Whoever comes back from submitting an application finds it in the figures. */
const STALE_AT_ONCE = 0;

/** The figures of the client's own business, from when they are in sight. */
export function useOwnFigures(isSeen: boolean) {
  return useQuery({
    queryKey: ['figures', 'own'],
    queryFn: (context) => callApi(figureEndpoints.ownFigures, undefined, queryCall(context)),
    staleTime: STALE_AT_ONCE,
    enabled: isSeen,
  });
}

/** Everybody's figures, for the staff. */
export function useAllFigures() {
  return useQuery({
    queryKey: ['figures', 'all'],
    queryFn: (context) => callApi(figureEndpoints.allFigures, undefined, queryCall(context)),
    staleTime: STALE_AT_ONCE,
  });
}

/** How the promise of a decision was kept, from when it is in sight. */
export function usePromiseFigures(isSeen: boolean) {
  return useQuery({
    queryKey: ['figures', 'promise'],
    queryFn: (context) => callApi(deskEndpoints.deskFigures, undefined, queryCall(context)),
    staleTime: STALE_AT_ONCE,
    enabled: isSeen,
  });
}

/** The chart's code, which travels when a chart is first shown and never again. */
export function useChartCode(isShown: boolean) {
  return useQuery({
    queryKey: ['figures', 'chart-code'],
    queryFn: async () => ({ PeriodChart: (await import('./period-chart.tsx')).PeriodChart }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
    enabled: isShown,
  });
}
