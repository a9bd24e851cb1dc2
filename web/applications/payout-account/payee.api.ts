import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useSend } from '#web/platform/api/use-change.ts';

/** An application's payout account, and what its client may choose. */
export function usePayee(tag: string) {
  return useCall(payoutEndpoints.applicationPayout, { params: { tag }, ...live });
}

/** Chooses the account that an application is paid to; the screen is what the server has then, however it ended. */
export function useChoosePayee(tag: string) {
  return useSend(payoutEndpoints.choosePayoutAccount, { tag }, [
    payoutEndpoints.applicationPayout,
    applicationEndpoints.attention,
  ]);
}
