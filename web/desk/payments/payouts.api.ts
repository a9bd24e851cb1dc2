import type { z } from 'zod';
import { ownAccountEndpoints } from '#contract/own-account/endpoints.ts';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import type { CancelPayoutBody, preparePayoutBody, releasePayoutBody } from '#contract/payouts/schema.ts';
import { callApi } from '#web/platform/api/api.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useChange } from '#web/platform/api/use-change.ts';

/** Whether a release asks this officer for a code; otherwise for the password. */
export function useHasSecondFactor() {
  return useCall(ownAccountEndpoints.secondFactor, {
    key: ['second-factor'],
    select: ({ setUpAt }) => setUpAt !== null,
  });
}

/** The actions on a payout. */
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
  return useChange(({ act, idempotencyKey }: { readonly act: PayoutAct; readonly idempotencyKey: string }) =>
    call(tag, act, idempotencyKey),
  );
}
