import { businessEndpoints } from '#contract/businesses/endpoints.ts';
import type { Routes } from '#server/http/http.ts';
import { selectUsualTerms } from './businesses.queries.ts';
import { addBusiness, editBusiness, listBusinesses, listBuyers, listProfiles } from './businesses.service.ts';

/** Businesses, and the options of selects. */
export function businessRoutes(routes: Routes): void {
  const { platform } = routes;
  routes.signedIn(businessEndpoints.listBusinesses, ({ body }) => listBusinesses(platform, body));
  routes.signedIn(businessEndpoints.addBusiness, async ({ caller, body }) => ({
    success: true as const,
    data: await addBusiness(platform, caller, body),
  }));
  routes.signedIn(businessEndpoints.editBusiness, async ({ caller, params, body }) => ({
    success: true as const,
    data: await editBusiness(platform, caller, params.tag, body),
  }));
  routes.signedIn(businessEndpoints.allProfiles, () => listProfiles(platform));
  routes.signedIn(businessEndpoints.clientProfiles, () => listProfiles(platform, 'client'));
  routes.signedIn(businessEndpoints.buyerProfiles, ({ caller }) => listBuyers(platform, caller));
  routes.signedIn(businessEndpoints.buyerTerms, () => selectUsualTerms(platform.db));
}
