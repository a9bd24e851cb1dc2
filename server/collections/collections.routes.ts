import { collectionEndpoints } from '#contract/collections/endpoints.ts';
import type { Routes } from '#server/http/http.ts';
import { addCollectionEntry, readRepayment, tellBuyerLate } from './collections.service.ts';

/** How advances are paid back, and what officers do when they are late. */
export function collectionRoutes(routes: Routes): void {
  routes.byTag(collectionEndpoints.repayment, readRepayment);
  routes.byTag(collectionEndpoints.tellBuyerLate, tellBuyerLate);
  routes.byTag(collectionEndpoints.addCollectionEntry, addCollectionEntry);
}
