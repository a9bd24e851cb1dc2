import { onboardingEndpoints } from '#contract/onboarding/endpoints.ts';
import type { Routes } from '#server/http/http.ts';
import { countWaiting } from './activation.queries.ts';
import { findActivation, stateDetails } from './activation.service.ts';
import { countOpen } from './buyer-requests.queries.ts';
import { addBuyer, listOpenRequests, listOwnRequests, refuseBuyer, requestBuyer } from './buyer-requests.service.ts';

/** Activation of newcomers, and requests for buyers (docs/decisions/0032-onboarding.md). */
export function onboardingRoutes(routes: Routes): void {
  const { platform } = routes;
  routes.signedIn(onboardingEndpoints.activation, ({ caller }) => findActivation(platform, caller));
  routes.signedIn(onboardingEndpoints.stateDetails, async ({ caller, body }) => {
    await stateDetails(platform, caller, body);
    return { success: true as const };
  });
  routes.signedIn(onboardingEndpoints.onboardingCounts, async () => ({
    activations: await countWaiting(platform.db),
    buyers: await countOpen(platform.db),
  }));
  routes.signedIn(onboardingEndpoints.ownBuyerRequests, ({ caller }) => listOwnRequests(platform, caller));
  routes.signedIn(onboardingEndpoints.requestBuyer, async ({ caller, body }) => ({
    success: true as const,
    data: await requestBuyer(platform, caller, body),
  }));
  routes.signedIn(onboardingEndpoints.listBuyerRequests, ({ body }) => listOpenRequests(platform, body));
  routes.signedIn(onboardingEndpoints.addBuyer, ({ caller, params, body }) =>
    addBuyer(platform, caller, params.tag, body),
  );
  routes.signedIn(onboardingEndpoints.refuseBuyer, ({ caller, params, body }) =>
    refuseBuyer(platform, caller, params.tag, body),
  );
}
