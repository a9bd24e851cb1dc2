import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { collectionEndpoints } from '#contract/collections/endpoints.ts';
import type { collectionBody } from '#contract/collections/schema.ts';
import { callApi } from '#web/platform/api/api.ts';
import { live, queryCall } from '#web/platform/api/query-client.ts';

const repaymentKey = ['repayment'] as const;

/** How an application is paid back, and what was said and done about it. */
export function useRepayment(tag: string) {
  return useQuery({
    queryKey: [...repaymentKey, tag],
    queryFn: (context) => callApi(collectionEndpoints.repayment, undefined, { params: { tag }, ...queryCall(context) }),
    ...live,
  });
}

interface Addition {
  readonly body: z.input<typeof collectionBody>;
  readonly idempotencyKey: string;
}

/** Puts something on record; the record and the lists are what the server has when it is done, however it ended. */
export function useAddEntry(tag: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: Addition) =>
      callApi(collectionEndpoints.addCollectionEntry, body, { params: { tag }, idempotencyKey }),
    onSettled: () => Promise.all([repaymentKey, ['desk']].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
