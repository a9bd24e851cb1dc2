import { requestEndpoints } from '#contract/requests-to-pay/endpoints.ts';
import type { Routes } from '#server/http/http.ts';
import { askToPay, readPayNow } from './requests.service.ts';

/** Requests to pay on a client's phone. */
export function requestRoutes(routes: Routes): void {
  routes.byTag(requestEndpoints.payNow, readPayNow);
  routes.byTag(requestEndpoints.askToPay, askToPay);
}
