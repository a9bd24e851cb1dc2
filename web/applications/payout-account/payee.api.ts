import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';

/** An application's payout account, and the accounts its client can choose. */
export function usePayee(tag: string) {
  return useCall(payoutEndpoints.applicationPayout, { params: { tag }, ...live });
}
