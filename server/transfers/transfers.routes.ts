import { transferEndpoints } from '#contract/transfers/endpoints.ts';
import { createAddressLimits } from '#server/accounts/public-links.service.ts';
import type { Routes } from '#server/http/http.ts';
import { hearCallback, listOpenTransfers } from './transfers.service.ts';

/** Transfers over providers' rails. */
export function transferRoutes(routes: Routes): void {
  const { platform } = routes;
  const limits = createAddressLimits(platform);
  routes.signedIn(transferEndpoints.openTransfers, () => listOpenTransfers(platform));
  routes.publicAuth(transferEndpoints.railCallback, ({ caller, params, body, request }) =>
    hearCallback(platform, limits, caller, { rail: params.rail, host: request.host, body }),
  );
}
