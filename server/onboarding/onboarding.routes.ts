import { onboardingEndpoints } from '#contract/onboarding/endpoints.ts';
import { doneWith } from '#server/calls/done.ts';
import type { Routes } from '#server/http/http.ts';
import { countWaiting } from './activation.queries.ts';
import { findActivation, stateDetails, stateWallet, updatePerson } from './activation.service.ts';
import { countOpen } from './buyer-requests.queries.ts';
import { addBuyer, listOpenRequests, listOwnRequests, refuseBuyer, requestBuyer } from './buyer-requests.service.ts';

/** Activation of newcomers, and requests for buyers (docs/decisions/0032-onboarding.md). */
export function onboardingRoutes(routes: Routes): void {
  const { platform } = routes;
  routes.byBody(onboardingEndpoints.activation, findActivation);
  routes.byBody(onboardingEndpoints.stateDetails, stateDetails);
  routes.byBody(onboardingEndpoints.stateWallet, stateWallet);
  routes.signedIn(onboardingEndpoints.updatePerson, async ({ caller, body }) => {
    await updatePerson({ platform, caller }, body);
    return { success: true as const, msg: 'Updates to this business person have been successful' };
  });
  routes.signedIn(onboardingEndpoints.onboardingCounts, async () => ({
    activations: await countWaiting(platform.db),
    buyers: await countOpen(platform.db),
  }));
  routes.byBody(onboardingEndpoints.ownBuyerRequests, listOwnRequests);
  routes.byBody(onboardingEndpoints.requestBuyer, (...call) => doneWith(requestBuyer(...call)));
  routes.signedIn(onboardingEndpoints.listBuyerRequests, ({ body }) => listOpenRequests(platform, body));
  routes.byTag(onboardingEndpoints.addBuyer, addBuyer);
  routes.byTag(onboardingEndpoints.refuseBuyer, refuseBuyer);
}
