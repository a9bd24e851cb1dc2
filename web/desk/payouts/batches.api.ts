import { transferEndpoints } from '#contract/transfers/endpoints.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useSend } from '#web/platform/api/use-change.ts';

/** The payouts that wait for a bank file, and the newest files. */
export function useBatches() {
  return useCall(transferEndpoints.payoutBatches, live);
}

/** Puts the waiting payouts into a file. */
export function useMakeBatch() {
  return useSend(transferEndpoints.makePayoutBatch);
}
