import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import { transferEndpoints } from '#contract/transfers/endpoints.ts';
import { callApi } from '#web/platform/api/api.ts';
import { live, queryCall } from '#web/platform/api/query-client.ts';

const waitingKey = ['desk', 'payout-accounts'] as const;

/** The accounts that wait for an officer to check them. */
export function useWaitingAccounts() {
  return useQuery({
    queryKey: waitingKey,
    queryFn: (context) => callApi(payoutEndpoints.waitingPayoutAccounts, undefined, queryCall(context)),
    ...live,
  });
}

/** Every account of a business, the newest first. */
export function useBusinessAccounts(tag: string) {
  return useQuery({
    queryKey: [...waitingKey, tag],
    queryFn: (context) =>
      callApi(payoutEndpoints.businessPayoutAccounts, undefined, { params: { tag }, ...queryCall(context) }),
    ...live,
  });
}

/** The payouts that wait for their release. */
export function useWaitingPayouts() {
  return useQuery({
    queryKey: ['desk', 'payouts'],
    queryFn: (context) => callApi(payoutEndpoints.waitingPayouts, undefined, queryCall(context)),
    ...live,
  });
}

/** The payouts that providers are sending. */
export function useOpenTransfers() {
  return useQuery({
    queryKey: ['desk', 'transfers'],
    queryFn: (context) => callApi(transferEndpoints.openTransfers, undefined, queryCall(context)),
    ...live,
  });
}

/** Says that an account was checked with its holder. */
export function useVerifyAccount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ tag, reason, idempotencyKey }: { tag: string; reason: string; idempotencyKey: string }) =>
      callApi(payoutEndpoints.verifyPayoutAccount, { reason }, { params: { tag }, idempotencyKey }),
    onSettled: () => renew(client),
  });
}

/** Freezes an account of any business. */
export function useFreezeAccount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ tag, idempotencyKey }: { readonly tag: string; readonly idempotencyKey: string }) =>
      callApi(payoutEndpoints.freezePayoutAccount, undefined, { params: { tag }, idempotencyKey }),
    onSettled: () => renew(client),
  });
}

/** Accounts, and what may be paid to them. */
function renew(client: QueryClient) {
  return Promise.all([['desk'], ['payout']].map((queryKey) => client.invalidateQueries({ queryKey })));
}
