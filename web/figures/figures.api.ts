import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useSeen } from './figures-view.ts';

/** Figures, fetched once the element that `ref` is of has come into sight: a new application shows in them at once. */
export function useFigures<R extends z.ZodType>(endpoint: Endpoint<z.ZodUndefined, z.ZodUndefined, z.ZodUndefined, R>) {
  const { isSeen, watch: ref } = useSeen();
  const query = useCall(endpoint, { staleTime: 0, enabled: isSeen });
  return { query, isSeen, ref };
}

/** The chart's code, which travels when a chart is first shown and never again. */
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
