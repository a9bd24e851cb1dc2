import { collectionEndpoints } from '#contract/collections/endpoints.ts';
import type { Routes } from '#server/http/http.ts';
import { addCollectionEntry, readRepayment, tellBuyerLate } from './collections.service.ts';

/** How advances are paid back, and what officers do when they are late. */
export function collectionRoutes(routes: Routes): void {
  const { platform } = routes;
  routes.signedIn(collectionEndpoints.repayment, ({ caller, params }) => readRepayment(platform, caller, params.tag));
  routes.signedIn(collectionEndpoints.tellBuyerLate, ({ caller, params, body }) =>
    tellBuyerLate(platform, caller, params.tag, body),
  );
  routes.signedIn(collectionEndpoints.addCollectionEntry, ({ caller, params, body }) =>
    addCollectionEntry(platform, caller, params.tag, body),
  );
}
