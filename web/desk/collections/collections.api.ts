import { collectionEndpoints } from '#contract/collections/endpoints.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';

/** How an application is paid back, with the entries about it. */
export function useRepayment(tag: string) {
  return useCall(collectionEndpoints.repayment, { params: { tag }, ...live });
}
