import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { statementEndpoints } from '#contract/statements/endpoints.ts';
import type { ClosingBody, ExplanationBody } from '#contract/statements/schema.ts';
import { transferEndpoints } from '#contract/transfers/endpoints.ts';
import { callApi } from '#web/platform/api/api.ts';
import { live, queryCall } from '#web/platform/api/query-client.ts';

const reconciliationKey = ['desk', 'reconciliation'] as const;

/** An account's day, as the address has it. */
export type AccountDay = Pick<ClosingBody, 'rail' | 'currency'> & { readonly day?: string };

/** A day of an account on both sides; yesterday where none is named. */
export function useReconciliation({ rail, currency, day }: AccountDay) {
  const query = { rail, currency, ...(day === undefined ? {} : { day }) };
  return useQuery({
    queryKey: [...reconciliationKey, rail, currency, day],
    queryFn: (context) => callApi(statementEndpoints.reconciliation, undefined, { query, ...queryCall(context) }),
    ...live,
  });
}

/** Explains a difference. */
export function useExplain() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: { readonly body: ExplanationBody; readonly idempotencyKey: string }) =>
      callApi(statementEndpoints.explainDifference, body, { idempotencyKey }),
    onSettled: () => client.invalidateQueries({ queryKey: reconciliationKey }),
  });
}

/** Asks the provider about a day's transfers. */
export function useAskTransfers() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ClosingBody) => callApi(transferEndpoints.askTransfers, body),
    onSettled: () => client.invalidateQueries({ queryKey: reconciliationKey }),
  });
}

/** Closes a day. */
export function useCloseDay() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ClosingBody) => callApi(statementEndpoints.closeDay, body),
    onSettled: () => client.invalidateQueries({ queryKey: reconciliationKey }),
  });
}
