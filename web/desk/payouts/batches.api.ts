import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BatchBody } from '#contract/transfers/batches.ts';
import { transferEndpoints } from '#contract/transfers/endpoints.ts';
import { callApi } from '#web/platform/api/api.ts';
import { live, queryCall } from '#web/platform/api/query-client.ts';

/** What waits for a file for the bank, and the newest files. */
export function useBatches() {
  return useQuery({
    queryKey: ['desk', 'batches'],
    queryFn: (context) => callApi(transferEndpoints.payoutBatches, undefined, queryCall(context)),
    ...live,
  });
}

/** Takes what waits into a file. */
export function useMakeBatch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: { readonly body: BatchBody; readonly idempotencyKey: string }) =>
      callApi(transferEndpoints.makePayoutBatch, body, { idempotencyKey }),
    onSettled: () => Promise.all([['desk'], ['payout']].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
