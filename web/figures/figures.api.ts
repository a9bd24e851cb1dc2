import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useSeen } from './figures-view.ts';

/**
 * Figures, loaded once the element with the ref `ref` has scrolled into view. They are always loaded again, so that a
 * new application shows at once.
 */
export function useFigures<R extends z.ZodType>(endpoint: Endpoint<z.ZodUndefined, z.ZodUndefined, z.ZodUndefined, R>) {
  const { isSeen, watch: ref } = useSeen();
  const query = useCall(endpoint, { staleTime: 0, enabled: isSeen });
  return { query, isSeen, ref };
}

/** The chart's code, loaded once, when a chart is first shown. */
export function useChartCode(isShown: boolean) {
  return useQuery({
    queryKey: ['chart-code'],
    queryFn: async () => ({ PeriodChart: (await import('./period-chart.tsx')).PeriodChart }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
    enabled: isShown,
  });
}
