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
  const { platform } = routes;
  routes.signedIn(offerEndpoints.counterOffer, ({ params, body, caller }) =>
    counterOffer(platform, caller, params.tag, body),
  );
  routes.signedIn(offerEndpoints.recallOffer, ({ params, caller }) => recallOffer(platform, caller, params.tag));
  routes.signedIn(offerEndpoints.loadOffer, ({ params, caller }) => readOffer(platform, caller, params.tag));
  routes.signedIn(offerEndpoints.acceptOffer, ({ params, body, caller }) =>
    acceptOffer(platform, caller, params.tag, body.keyFactsVersion),
  );
  routes.signedIn(offerEndpoints.declineOffer, ({ params, caller }) => declineOffer(platform, caller, params.tag));
  extensionRoutes(routes);
}

function extensionRoutes(routes: Routes): void {
  const { platform } = routes;
  routes.signedIn(offerEndpoints.loadExtension, ({ params, caller }) => readExtension(platform, caller, params.tag));
  routes.signedIn(offerEndpoints.askExtension, ({ params, body, caller }) =>
    askExtension(platform, caller, params.tag, body),
  );
  routes.signedIn(offerEndpoints.acceptExtension, ({ params, body, caller }) =>
    acceptExtension(platform, caller, params.tag, body.keyFactsVersion),
  );
  routes.signedIn(offerEndpoints.offerExtension, ({ params, body, caller }) =>
    offerExtension(platform, caller, params.tag, body),
  );
  routes.signedIn(offerEndpoints.agreeExtension, ({ params, body, caller }) =>
    agreeExtension(platform, caller, params.tag, body.keyFactsVersion),
  );
  routes.signedIn(offerEndpoints.withdrawExtension, ({ params, caller }) =>
    withdrawExtension(platform, caller, params.tag),
  );
}
