import { collectionEndpoints } from '#contract/collections/endpoints.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useSend } from '#web/platform/api/use-change.ts';

const repaymentKey = ['repayment'] as const;

/** How an application is paid back, and what was said and done about it. */
export function useRepayment(tag: string) {
  return useCall(collectionEndpoints.repayment, { key: [...repaymentKey, tag], params: { tag }, ...live });
}

/** Puts something on record; the record and the lists are what the server has when it is done, however it ended. */
export function useAddEntry(tag: string) {
  return useSend(collectionEndpoints.addCollectionEntry, { tag }, [repaymentKey, ['desk']]);
}
