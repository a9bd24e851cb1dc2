import { businessEndpoints } from '#contract/businesses/endpoints.ts';
import { doneWith } from '#server/calls/done.ts';
import type { Routes } from '#server/http/http.ts';
import { selectUsualTerms } from './businesses.queries.ts';
import {
  addBusiness,
  editBusiness,
  listBusinesses,
  listBuyers,
  listProfiles,
  loadBusiness,
} from './businesses.service.ts';

/** Businesses, and the options of selects. */
export function businessRoutes(routes: Routes): void {
  const { platform } = routes;
  routes.signedIn(businessEndpoints.listBusinesses, ({ body }) => listBusinesses(platform, body));
  routes.signedIn(businessEndpoints.loadBusiness, ({ params }) => loadBusiness(platform, params.tag));
  routes.byBody(businessEndpoints.addBusiness, (...call) => doneWith(addBusiness(...call)));
  routes.byTag(businessEndpoints.editBusiness, (...call) => doneWith(editBusiness(...call)));
  routes.signedIn(businessEndpoints.allProfiles, () => listProfiles(platform));
  routes.signedIn(businessEndpoints.clientProfiles, () => listProfiles(platform, 'client'));
  routes.byBody(businessEndpoints.buyerProfiles, listBuyers);
  routes.signedIn(businessEndpoints.buyerTerms, () => selectUsualTerms(platform.db));
}
