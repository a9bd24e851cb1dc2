import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import { callApi } from '#web/platform/api/api.ts';
import { live, queryCall } from '#web/platform/api/query-client.ts';

const payoutKey = ['payout'] as const;

/** Where an application's money goes, and what its client may choose. */
export function usePayee(tag: string) {
  return useQuery({
    queryKey: [...payoutKey, tag],
    queryFn: (context) =>
      callApi(payoutEndpoints.applicationPayout, undefined, { params: { tag }, ...queryCall(context) }),
    ...live,
  });
}

/** Chooses the account that an application is paid to; the screen is what the server has then, however it ended. */
export function useChoosePayee(tag: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ accountTag, idempotencyKey }: { readonly accountTag: string; readonly idempotencyKey: string }) =>
      callApi(payoutEndpoints.choosePayoutAccount, { accountTag }, { params: { tag }, idempotencyKey }),
    onSettled: () => Promise.all([payoutKey, ['attention']].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
