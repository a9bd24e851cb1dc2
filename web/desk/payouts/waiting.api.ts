import { useQuery } from '@tanstack/react-query';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import { transferEndpoints } from '#contract/transfers/endpoints.ts';
import { callApi } from '#web/platform/api/api.ts';
import { live } from '#web/platform/api/query-client.ts';
import { keyOf } from '#web/platform/api/query-key.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useSend } from '#web/platform/api/use-change.ts';

/** The accounts that an officer has to check. */
export function useWaitingAccounts() {
  return useCall(payoutEndpoints.waitingPayoutAccounts, live);
}

/** Every account of a business, newest first. */
export function useBusinessAccounts(tag: string) {
  return useCall(payoutEndpoints.businessPayoutAccounts, { params: { tag }, ...live });
}

/** Payouts that wait to be released, from the oldest or after a given one. */
export function useWaitingPayouts(after: string | undefined) {
  return useCall(payoutEndpoints.waitingPayouts, { ...pageAfter(after), ...live });
}

/** Payouts that providers are sending, and late requests to pay, from the first or after a given one. */
export function useOpenTransfers(after: string | undefined) {
  return useCall(transferEndpoints.openTransfers, { ...pageAfter(after), ...live });
}

function pageAfter(after: string | undefined) {
  return after === undefined ? {} : { query: { after } };
}

/** Asks the provider about a transfer now. */
export function useAskedTransfer(tag: string) {
  return useCall(transferEndpoints.askTransfer, { params: { tag }, gcTime: 0 });
}

/**
 * Asks an account's provider who holds it, when the account is opened. A person repeats it with `refetch`, which
 * extends the session.
 */
export function useAskedHolder(tag: string) {
  return useQuery({
    queryKey: keyOf(payoutEndpoints.askHolder, { params: { tag } }),
    queryFn: ({ signal }) => callApi(payoutEndpoints.askHolder, undefined, { params: { tag }, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
}

/** Records that an account was checked with its holder. */
export function useVerifyAccount(tag: string) {
  return useSend(payoutEndpoints.verifyPayoutAccount, { tag });
}
