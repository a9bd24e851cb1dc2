import { limitEndpoints } from '#contract/limits/endpoints.ts';
import type { Routes } from '#server/http/http.ts';
import { listBusinessLimits, listEarnedRaises, listOwnLimits, setLimit } from './limits.service.ts';
import { confirmLimit, declineLimit, listProposals } from './proposals.service.ts';

/** Funding limits. */
export function limitRoutes(routes: Routes): void {
  const { platform } = routes;
  routes.signedIn(limitEndpoints.ownLimits, ({ caller }) => listOwnLimits(platform, caller));
  routes.signedIn(limitEndpoints.businessLimits, ({ caller, params }) =>
    listBusinessLimits(platform, caller, params.tag),
  );
  routes.signedIn(limitEndpoints.setLimit, ({ caller, params, body }) => setLimit(platform, caller, params.tag, body));
  routes.signedIn(limitEndpoints.limitProposals, () => listProposals(platform));
  routes.signedIn(limitEndpoints.confirmLimit, ({ caller, params }) => confirmLimit(platform, caller, params.tag));
  routes.signedIn(limitEndpoints.declineLimit, ({ caller, params }) => declineLimit(platform, caller, params.tag));
  routes.signedIn(limitEndpoints.earnedRaises, ({ body }) => listEarnedRaises(platform, body));
}
