import { statementEndpoints } from '#contract/statements/endpoints.ts';
import type { ClosingBody } from '#contract/statements/schema.ts';
import { transferEndpoints } from '#contract/transfers/endpoints.ts';
import { callApi } from '#web/platform/api/api.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useChange, useSend } from '#web/platform/api/use-change.ts';

/** An account and day, as in the address. */
export type AccountDay = Pick<ClosingBody, 'rail' | 'currency'> & { readonly day?: string };

/** A day of an account in statement and journal, with a page of its differences; yesterday by default. */
export function useReconciliation({ rail, currency, day }: AccountDay, page: number) {
  const query = { rail, currency, page: String(page), ...(day === undefined ? {} : { day }) };
  return useCall(statementEndpoints.reconciliation, { query, ...live });
}

/** Explains a difference. */
export function useExplain() {
  return useSend(statementEndpoints.explainDifference, {}, [statementEndpoints.reconciliation]);
}

/** Asks the provider about a day's transfers. */
export function useAskTransfers() {
  return useChange(
    (body: ClosingBody) => callApi(transferEndpoints.askTransfers, body),
    [statementEndpoints.reconciliation],
  );
}

/** Closes a day. */
export function useCloseDay() {
  return useChange(
    (body: ClosingBody) => callApi(statementEndpoints.closeDay, body),
    [statementEndpoints.reconciliation],
  );
}
