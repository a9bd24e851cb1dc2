import { useQuery } from '@tanstack/react-query';
import { deskEndpoints } from '#contract/desk/endpoints.ts';
import { figureEndpoints } from '#contract/figures/endpoints.ts';
import { callApi } from '#web/platform/api/api.ts';
import { queryCall } from '#web/platform/api/query-client.ts';

/** A new application shows in the figures at once. */
const STALE_AT_ONCE = 0;

/** The figures of the client's own business, fetched once they are in sight. */
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

/** What is out now, once the block is in sight. */
export function useBook(isSeen: boolean) {
  return useQuery({
    queryKey: ['figures', 'book'],
    queryFn: (context) => callApi(figureEndpoints.bookFigures, undefined, queryCall(context)),
    staleTime: STALE_AT_ONCE,
    enabled: isSeen,
  });
}

/** What was collected and earned, once a block of it is in sight. */
export function useIncome(isSeen: boolean) {
  return useQuery({
    queryKey: ['figures', 'income'],
    queryFn: (context) => callApi(figureEndpoints.incomeFigures, undefined, queryCall(context)),
    staleTime: STALE_AT_ONCE,
    enabled: isSeen,
  });
}

/** How well decisions kept to the SLA, once the block is in sight. */
export function useSlaFigures(isSeen: boolean) {
  return useQuery({
    queryKey: ['figures', 'sla'],
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
