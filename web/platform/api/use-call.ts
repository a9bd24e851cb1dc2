import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { callWith } from './api.ts';
import { queryCall } from './query-client.ts';

interface Call<B, Reply, Shown> extends Omit<UseQueryOptions<Reply, Error, Shown>, 'queryKey' | 'queryFn'> {
  readonly key: QueryKey;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: B;
}

/** Asks an endpoint and keeps its reply under `key`; again in the background, which extends no session. */
export function useCall<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
  Shown = z.output<R>,
>(endpoint: Endpoint<P, Q, B, R>, call: Call<z.input<B>, z.output<R>, Shown>) {
  const { key, params, query, body, ...options } = call;
  return useQuery({
    queryKey: key,
    queryFn: (context) => callWith(endpoint, body, { params, query, ...queryCall(context) }),
    ...options,
  });
}
