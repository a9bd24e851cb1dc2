import { transferEndpoints } from '#contract/transfers/endpoints.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useSend } from '#web/platform/api/use-change.ts';

/** What waits for a file for the bank, and the newest files. */
export function useBatches() {
  return useCall(transferEndpoints.payoutBatches, live);
}

/** Takes what waits into a file. */
export function useMakeBatch() {
  return useSend(transferEndpoints.makePayoutBatch);
}
