import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import type { VerifyAccountBody } from '#contract/payouts/schema.ts';
import { transferEndpoints } from '#contract/transfers/endpoints.ts';
import type { EndingAnswer, EndingBody } from '#contract/transfers/schema.ts';
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

/** Payouts that wait for their release, from the oldest or after one. */
export function useWaitingPayouts(after: string | undefined) {
  return useQuery({
    queryKey: ['desk', 'payouts', after ?? ''],
    queryFn: (context) =>
      callApi(payoutEndpoints.waitingPayouts, undefined, {
        query: after === undefined ? {} : { after },
        ...queryCall(context),
      }),
    ...live,
  });
}

/** Payouts that providers are sending, and late requests to pay, from the first one or after one. */
export function useOpenTransfers(after: string | undefined) {
  return useQuery({
    queryKey: ['desk', 'transfers', after ?? ''],
    queryFn: (context) =>
      callApi(transferEndpoints.openTransfers, undefined, {
        query: after === undefined ? {} : { after },
        ...queryCall(context),
      }),
    ...live,
  });
}

/** Asks the provider about a transfer, now. */
export function useAskedTransfer(tag: string) {
  return useQuery({
    queryKey: ['desk', 'asked-transfer', tag],
    queryFn: (context) => callApi(transferEndpoints.askTransfer, undefined, { params: { tag }, ...queryCall(context) }),
    gcTime: 0,
  });
}

/** What officers do where a provider does not say how a transfer ended. */
export type EndingAct =
  | { readonly act: 'propose'; readonly body: EndingBody }
  | { readonly act: 'confirm' | 'drop'; readonly body: EndingAnswer };

/** Says how a transfer ended, or answers what another officer said of it. */
export function useEndingAct(tag: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ does, idempotencyKey }: { readonly does: EndingAct; readonly idempotencyKey: string }) => {
      const options = { params: { tag }, idempotencyKey };
      switch (does.act) {
        case 'propose':
          return callApi(transferEndpoints.proposeEnding, does.body, options);
        case 'confirm':
          return callApi(transferEndpoints.confirmEnding, does.body, options);
        case 'drop':
          return callApi(transferEndpoints.dropEnding, does.body, options);
      }
    },
    onSettled: () => client.invalidateQueries(),
  });
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

interface Verification extends VerifyAccountBody {
  readonly tag: string;
  readonly idempotencyKey: string;
}

/** Says that an account was checked with its holder. */
export function useVerifyAccount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ tag, idempotencyKey, ...body }: Verification) =>
      callApi(payoutEndpoints.verifyPayoutAccount, body, { params: { tag }, idempotencyKey }),
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
