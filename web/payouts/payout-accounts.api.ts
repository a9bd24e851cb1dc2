import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import type { payoutAccountForm } from '#contract/payouts/schema.ts';
import { callApi } from '#web/platform/api/api.ts';
import { useCall } from '#web/platform/api/use-call.ts';

const accountsKey = ['payout-accounts'] as const;

/** The payout accounts of the own business. */
export function useOwnAccounts() {
  return useCall(payoutEndpoints.ownPayoutAccounts, { key: accountsKey });
}

/** Accounts, and what is paid to them, are what the server has afterwards. */
function useRenewal() {
  const client = useQueryClient();
  return () => Promise.all([accountsKey, ['payout']].map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** Adds an account; the same key for every try of one form's content. */
export function useAddAccount() {
  const onSettled = useRenewal();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: { body: z.input<typeof payoutAccountForm>; idempotencyKey: string }) =>
      callApi(payoutEndpoints.addPayoutAccount, body, { idempotencyKey }),
    onSettled,
  });
}

/** Freezes an own account. */
export function useFreezeAccount() {
  const onSettled = useRenewal();
  return useMutation({
    mutationFn: (tag: string) => callApi(payoutEndpoints.freezePayoutAccount, undefined, { params: { tag } }),
    onSettled,
  });
}

/** Freezes an account by the link of a message. */
export function useFreezeByLink() {
  return useMutation({ mutationFn: (token: string) => callApi(payoutEndpoints.freezeByLink, { token }) });
}
