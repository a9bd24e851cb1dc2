import { paymentEndpoints } from '#contract/payments/endpoints.ts';
import { requestEndpoints } from '#contract/requests-to-pay/endpoints.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';

/** The payments of an application. */
export function usePayments(tag: string) {
  return useCall(paymentEndpoints.listPayments, { params: { tag }, ...live });
}

/** The requests to pay sent to a client's phone. */
export function useRequests(tag: string) {
  return useCall(requestEndpoints.payNow, { params: { tag }, ...live });
}
