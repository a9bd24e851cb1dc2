import { useQuery } from '@tanstack/react-query';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import { transferEndpoints } from '#contract/transfers/endpoints.ts';
import { callApi } from '#web/platform/api/api.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useSend } from '#web/platform/api/use-change.ts';

/** Queries that show accounts and payouts to them. */
const payable = [['desk'], ['payout']] as const;
const waitingKey = ['desk', 'payout-accounts'] as const;

/** The accounts that wait for an officer to check them. */
export function useWaitingAccounts() {
  return useCall(payoutEndpoints.waitingPayoutAccounts, { key: waitingKey, ...live });
}

/** Every account of a business, the newest first. */
export function useBusinessAccounts(tag: string) {
  return useCall(payoutEndpoints.businessPayoutAccounts, { key: [...waitingKey, tag], params: { tag }, ...live });
}

/** Payouts that wait for their release, from the oldest or after one. */
export function useWaitingPayouts(after: string | undefined) {
  return useCall(payoutEndpoints.waitingPayouts, {
    key: ['desk', 'payouts', after ?? ''],
    ...pageAfter(after),
    ...live,
  });
}

/** Payouts that providers are sending, and late requests to pay, from the first one or after one. */
export function useOpenTransfers(after: string | undefined) {
  const key = ['desk', 'transfers', after ?? ''];
  return useCall(transferEndpoints.openTransfers, { key, ...pageAfter(after), ...live });
}

function pageAfter(after: string | undefined) {
  return after === undefined ? {} : { query: { after } };
}

/** Asks the provider about a transfer, now. */
export function useAskedTransfer(tag: string) {
  return useCall(transferEndpoints.askTransfer, { key: ['desk', 'asked-transfer', tag], params: { tag }, gcTime: 0 });
}

/** Asks an account's provider who holds it, once it is looked at; asked again by `refetch`. */
export function useAskedHolder(tag: string) {
  return useQuery({
    queryKey: ['holder', tag],
    queryFn: ({ signal }) => callApi(payoutEndpoints.askHolder, undefined, { params: { tag }, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
}

/** Says that an account was checked with its holder. */
export function useVerifyAccount(tag: string) {
  return useSend(payoutEndpoints.verifyPayoutAccount, { tag }, payable);
}
