import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useSend } from '#web/platform/api/use-change.ts';

/** An application's payout account, and the accounts its client can choose. */
export function usePayee(tag: string) {
  return useCall(payoutEndpoints.applicationPayout, { params: { tag }, ...live });
}

/**
 * Chooses an application's payout account. Afterwards the screen shows the server's state, whether it succeeded or not.
 */
export function useChoosePayee(tag: string) {
  return useSend(payoutEndpoints.choosePayoutAccount, { tag }, [
    payoutEndpoints.applicationPayout,
    applicationEndpoints.attention,
  ]);
}
