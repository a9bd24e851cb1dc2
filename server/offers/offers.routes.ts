import { offerEndpoints } from '#contract/offers/endpoints.ts';
import type { Routes } from '#server/http/http.ts';
import {
  acceptExtension,
  agreeExtension,
  askExtension,
  offerExtension,
  readExtension,
  withdrawExtension,
} from './extensions.service.ts';
import { acceptOffer, counterOffer, declineOffer, readOffer, recallOffer } from './offers.service.ts';

/** Counter-offers, and more time to pay back. */
export function offerRoutes(routes: Routes): void {
  routes.byTag(offerEndpoints.counterOffer, counterOffer);
  routes.byTag(offerEndpoints.recallOffer, recallOffer);
  routes.byTag(offerEndpoints.loadOffer, readOffer);
  routes.byTag(offerEndpoints.acceptOffer, acceptOffer);
  routes.byTag(offerEndpoints.declineOffer, declineOffer);
  routes.byTag(offerEndpoints.loadExtension, readExtension);
  routes.byTag(offerEndpoints.askExtension, askExtension);
  routes.byTag(offerEndpoints.acceptExtension, acceptExtension);
  routes.byTag(offerEndpoints.offerExtension, offerExtension);
  routes.byTag(offerEndpoints.agreeExtension, agreeExtension);
  routes.byTag(offerEndpoints.withdrawExtension, withdrawExtension);
}
