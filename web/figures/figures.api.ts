import { useQuery } from '@tanstack/react-query';
import { deskEndpoints } from '#contract/desk/endpoints.ts';
import { figureEndpoints } from '#contract/figures/endpoints.ts';
import { useCall } from '#web/platform/api/use-call.ts';

/** A new application shows in the figures at once. */
const STALE_AT_ONCE = 0;

/** The figures of the client's own business, fetched once they are in sight. */
export function useOwnFigures(isSeen: boolean) {
  return useCall(figureEndpoints.ownFigures, { key: ['figures', 'own'], staleTime: STALE_AT_ONCE, enabled: isSeen });
}

/** Everybody's figures, for the staff. */
export function useAllFigures() {
  return useCall(figureEndpoints.allFigures, { key: ['figures', 'all'], staleTime: STALE_AT_ONCE });
}

/** Everything outstanding now, once the block is in sight. */
export function useBook(isSeen: boolean) {
  return useCall(figureEndpoints.bookFigures, { key: ['figures', 'book'], staleTime: STALE_AT_ONCE, enabled: isSeen });
}

/** Collected and earned money, once a block of it is in sight. */
export function useIncome(isSeen: boolean) {
  return useCall(figureEndpoints.incomeFigures, {
    key: ['figures', 'income'],
    staleTime: STALE_AT_ONCE,
    enabled: isSeen,
  });
}

/** How well decisions kept to the SLA, once the block is in sight. */
export function useSlaFigures(isSeen: boolean) {
  return useCall(deskEndpoints.deskFigures, { key: ['figures', 'sla'], staleTime: STALE_AT_ONCE, enabled: isSeen });
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
