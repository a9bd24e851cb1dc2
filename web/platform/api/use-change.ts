import { type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { callWith } from './api.ts';
import { invalidate } from './use-call.ts';

/** Sends bodies to an endpoint, and reloads nothing. */
export function usePost<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  options: Pick<UseMutationOptions<z.output<R>, Error, z.input<B>>, 'onSuccess' | 'onError' | 'gcTime'> = {},
) {
  return useMutation({ mutationFn: (body: z.input<B>) => callWith(endpoint, body), ...options });
}

/** A dialog's body, with one key for all attempts. */
export interface Keyed<Body> {
  readonly body: Body;
  readonly idempotencyKey: string;
}

/**
 * Changes something. Done once the queries of the endpoints in `reloads` have been reloaded, whether the change
 * succeeded or not. Reloads all queries by default, because an officer's action on a case or on money may be visible
 * anywhere.
 */
export function useChange<Asked, Reply>(change: (asked: Asked) => Promise<Reply>, reloads?: readonly Endpoint[]) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => (reloads === undefined ? client.invalidateQueries() : invalidate(client, reloads)),
  });
}

/** Sends bodies to an endpoint that changes something, like {@link useChange}. */
export function useSend<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  params: Readonly<Record<string, string>> = {},
  reloads?: readonly Endpoint[],
) {
  return useChange(
    ({ body, idempotencyKey }: Keyed<z.input<B>>) => callWith(endpoint, body, { params, idempotencyKey }),
    reloads,
  );
}
