import { limitEndpoints } from '#contract/limits/endpoints.ts';
import type { Routes } from '#server/http/http.ts';
import { listBusinessLimits, listEarnedRaises, listOwnLimits, setLimit } from './limits.service.ts';
import { confirmLimit, declineLimit, listProposals } from './proposals.service.ts';

/** Funding limits. */
export function limitRoutes(routes: Routes): void {
  const { platform } = routes;
  routes.byBody(limitEndpoints.ownLimits, listOwnLimits);
  routes.byTag(limitEndpoints.businessLimits, listBusinessLimits);
  routes.byTag(limitEndpoints.setLimit, setLimit);
  routes.byBody(limitEndpoints.limitProposals, listProposals);
  routes.byTag(limitEndpoints.confirmLimit, confirmLimit);
  routes.byTag(limitEndpoints.declineLimit, declineLimit);
  routes.signedIn(limitEndpoints.earnedRaises, ({ body }) => listEarnedRaises(platform, body));
}
