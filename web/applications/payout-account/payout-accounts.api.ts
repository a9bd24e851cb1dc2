import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import { callApi } from '#web/platform/api/api.ts';
import { useChange, useSend } from '#web/platform/api/use-change.ts';

/** Endpoints whose replies show accounts or payouts to them. */
const renewed = [payoutEndpoints.ownPayoutAccounts, payoutEndpoints.applicationPayout];

/** Adds an account. Every attempt with the same form content uses the same key. */
export function useAddAccount() {
  return useSend(payoutEndpoints.addPayoutAccount, {}, renewed);
}

/** Freezes an account of the person's own business. */
export function useFreezeAccount() {
  return useChange(
    (tag: string) => callApi(payoutEndpoints.freezePayoutAccount, undefined, { params: { tag } }),
    renewed,
  );
}
