import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import { createAddressLimits } from '#server/accounts/public-links.service.ts';
import type { Routes } from '#server/http/http.ts';
import { readHolder } from './holders.service.ts';
import {
  addAccount,
  freezeAccount,
  freezeByLink,
  listBusinessAccounts,
  listOwnAccounts,
  listWaitingAccounts,
  verifyAccount,
} from './payout-accounts.service.ts';
import { chooseAccount } from './payout-choices.service.ts';
import { cancelPayout, listWaitingPayouts, preparePayout, readPayout, releasePayout } from './payouts.service.ts';

/** Payout accounts and payouts. */
export function payoutRoutes(routes: Routes): void {
  const { platform } = routes;
  const limits = createAddressLimits(platform);
  routes.signedIn(payoutEndpoints.ownPayoutAccounts, ({ caller }) => listOwnAccounts(platform, caller));
  routes.signedIn(payoutEndpoints.addPayoutAccount, ({ caller, body }) => addAccount(platform, caller, body));
  routes.signedIn(payoutEndpoints.freezePayoutAccount, ({ caller, params }) =>
    freezeAccount(platform, caller, params.tag),
  );
  routes.publicAuth(payoutEndpoints.freezeByLink, ({ caller, body }) =>
    freezeByLink(platform, limits, caller, body.token),
  );
  routes.signedIn(payoutEndpoints.waitingPayoutAccounts, ({ caller }) => listWaitingAccounts(platform, caller));
  routes.signedIn(payoutEndpoints.businessPayoutAccounts, ({ caller, params }) =>
    listBusinessAccounts(platform, caller, params.tag),
  );
  routes.signedIn(payoutEndpoints.askHolder, ({ caller, params }) => readHolder(platform, caller, params.tag));
  routes.signedIn(payoutEndpoints.verifyPayoutAccount, ({ caller, params, body }) =>
    verifyAccount(platform, caller, params.tag, body),
  );
  routes.signedIn(payoutEndpoints.choosePayoutAccount, ({ caller, params, body }) =>
    chooseAccount(platform, caller, params.tag, body.accountTag),
  );
  routes.signedIn(payoutEndpoints.applicationPayout, ({ caller, params }) => readPayout(platform, caller, params.tag));
  routes.signedIn(payoutEndpoints.waitingPayouts, ({ query }) => listWaitingPayouts(platform, query));
  routes.signedIn(payoutEndpoints.preparePayout, ({ caller, params, body }) =>
    preparePayout(platform, caller, params.tag, body),
  );
  routes.signedIn(payoutEndpoints.releasePayout, ({ caller, params, body }) =>
    releasePayout(platform, caller, params.tag, body),
  );
  routes.signedIn(payoutEndpoints.cancelPayout, ({ caller, params, body }) =>
    cancelPayout(platform, caller, params.tag, body),
  );
}
