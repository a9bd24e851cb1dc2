import { requestEndpoints } from '#contract/requests-to-pay/endpoints.ts';
import type { Routes } from '#server/http/http.ts';
import { askToPay, readPayNow } from './requests.service.ts';

/** Requests to pay on a client's phone. */
export function requestRoutes(routes: Routes): void {
  const { platform } = routes;
  routes.signedIn(requestEndpoints.payNow, ({ caller, params }) => readPayNow(platform, caller, params.tag));
  routes.signedIn(requestEndpoints.askToPay, ({ caller, params, body }) =>
    askToPay(platform, caller, params.tag, body),
  );
}
