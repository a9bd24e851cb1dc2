import { requestEndpoints } from '#contract/requests-to-pay/endpoints.ts';
import type { ShownRequest } from '#contract/requests-to-pay/schema.ts';
import { isUnfinished } from '#contract/transfers/asking.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';

/** Short, because somebody looks from their phone to this screen and back. */
const FOLLOW_MS = 2_000;

/** What can be paid by phone now; while a request is open, its state. */
export function usePayNow(tag: string) {
  return useCall(requestEndpoints.payNow, {
    params: { tag },
    ...live,
    refetchInterval: ({ state: { data } }) => (isAsked(data?.requests[0]) ? FOLLOW_MS : live.refetchInterval),
  });
}

/** Whether a request is open on a phone. */
export function isAsked(request: ShownRequest | undefined): boolean {
  return request !== undefined && isUnfinished(request);
}
