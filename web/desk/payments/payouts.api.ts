import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { ownAccountEndpoints } from '#contract/own-account/endpoints.ts';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import type { CancelPayoutBody, preparePayoutBody, releasePayoutBody } from '#contract/payouts/schema.ts';
import { callApi } from '#web/platform/api/api.ts';
import { live, queryCall } from '#web/platform/api/query-client.ts';
import { alsoChanged, paymentsKey } from './payments.api.ts';

const payoutKey = ['payout'] as const;

/** Where an application's money goes, and what is prepared. */
export function usePayout(tag: string) {
  return useQuery({
    queryKey: [...payoutKey, tag],
    queryFn: (context) =>
      callApi(payoutEndpoints.applicationPayout, undefined, { params: { tag }, ...queryCall(context) }),
    ...live,
  });
}

/** Whether a release asks this officer for a code; otherwise for the password. */
export function useHasSecondFactor() {
  return useQuery({
    queryKey: ['second-factor'],
    queryFn: (context) => callApi(ownAccountEndpoints.secondFactor, undefined, queryCall(context)),
    select: ({ setUpAt }) => setUpAt !== null,
  });
}

/** What is done with a payout. */
export type PayoutAct =
  | { readonly act: 'prepare'; readonly body: z.input<typeof preparePayoutBody> }
  | { readonly act: 'release'; readonly body: z.input<typeof releasePayoutBody> }
  | { readonly act: 'cancel'; readonly body: CancelPayoutBody };

function call(tag: string, { act, body }: PayoutAct, idempotencyKey: string) {
  const options = { params: { tag }, idempotencyKey };
  switch (act) {
    case 'prepare':
      return callApi(payoutEndpoints.preparePayout, body, options);
    case 'release':
      return callApi(payoutEndpoints.releasePayout, body, options);
    case 'cancel':
      return callApi(payoutEndpoints.cancelPayout, body, options);
  }
}

/** Prepares, releases or cancels a payout; the case is what the server has when it is done, however it ended. */
export function usePayoutAct(tag: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ act, idempotencyKey }: { readonly act: PayoutAct; readonly idempotencyKey: string }) =>
      call(tag, act, idempotencyKey),
    onSettled: () =>
      Promise.all([payoutKey, paymentsKey, ...alsoChanged].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
