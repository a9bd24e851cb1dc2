import { requestEndpoints } from '#contract/requests-to-pay/endpoints.ts';
import type { ShownRequest } from '#contract/requests-to-pay/schema.ts';
import { isUnfinished } from '#contract/transfers/asking.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useSend } from '#web/platform/api/use-change.ts';

/** Somebody looks from their phone to this screen and back. */
const FOLLOW_MS = 2_000;

/** What can be paid by phone now; while a phone is asked, the state of the request. */
export function usePayNow(tag: string) {
  return useCall(requestEndpoints.payNow, {
    params: { tag },
    ...live,
    refetchInterval: ({ state: { data } }) => (isAsked(data?.requests[0]) ? FOLLOW_MS : live.refetchInterval),
  });
}

/** Whether a phone is being asked. */
export function isAsked(request: ShownRequest | undefined): boolean {
  return request !== undefined && isUnfinished(request);
}

/** Has a phone asked; the screen is what the server has then, however it ended. */
export function useAskToPay(tag: string) {
  return useSend(requestEndpoints.askToPay, { tag }, [requestEndpoints.payNow]);
}
