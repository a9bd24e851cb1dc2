import { type QueryClient, type QueryFunctionContext, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { complainIfMissed } from '#web/platform/prefetch/missed.ts';
import { takeArrived } from '#web/platform/prefetch/prefetched.ts';
import { callWith } from './api.ts';
import { queryCall } from './query-client.ts';
import { keyOf } from './query-key.ts';
import type { Asked } from './question.ts';

/** The query of an endpoint. Its key is the endpoint with the parameters. Refetching doesn't extend the session. */
export function queryOf<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  { params, query, body }: Asked<z.input<B>> = {},
) {
  return {
    queryKey: keyOf(endpoint, { params, query, body }),
    queryFn: (context: QueryFunctionContext) => {
      complainIfMissed({ endpoint, params, query, body });
      return callWith(endpoint, body, { params, query, ...queryCall(context) });
    },
  };
}

type Call<Body, Reply, Shown> = Asked<Body> & Omit<UseQueryOptions<Reply, Error, Shown>, 'queryKey' | 'queryFn'>;

/** Runs an endpoint's {@link queryOf}. */
export function useCall<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
  Shown = z.output<R>,
>(endpoint: Endpoint<P, Q, B, R>, call: Call<z.input<B>, z.output<R>, Shown> = {}) {
  const { params, query, body, ...options } = call;
  return useQuery({ ...queryOf(endpoint, { params, query, body }), ...options });
}

/**
 * The prefetched reply as a query's `initialData`, if it has arrived. The screen is then rendered once, with its data,
 * instead of twice. Undefined otherwise; the query's call then takes over a reply that is still on its way.
 */
export function prefetched<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  params: Readonly<Record<string, string>>,
): z.output<R> | undefined {
  return takeArrived({ endpoint, params }) as z.output<R> | undefined;
}

/** Reloads all queries of these endpoints. */
export async function invalidate(client: QueryClient, endpoints: readonly Endpoint[]): Promise<void> {
  await Promise.all(endpoints.map((endpoint) => client.invalidateQueries({ queryKey: keyOf(endpoint) })));
}
