import { payoutEndpoints } from '#contract/payouts/endpoints.ts';
import { createAddressLimits } from '#server/accounts/login/address-limits.ts';
import type { Routes } from '#server/http/http.ts';
import { readHolder } from '#server/payout-accounts/holders.service.ts';
import {
  addAccount,
  freezeAccount,
  freezeByLink,
  listBusinessAccounts,
  listOwnAccounts,
  verifyAccount,
} from '#server/payout-accounts/payout-accounts.service.ts';
import { chooseAccount } from '#server/payout-accounts/payout-choices.service.ts';
import { readBoard } from './board.service.ts';
import { cancelPayout, preparePayout, readPayout, releasePayout } from './payouts.service.ts';

/** Payout accounts and payouts. */
export function payoutRoutes(routes: Routes): void {
  const { platform } = routes;
  const limits = createAddressLimits(platform);
  routes.byBody(payoutEndpoints.ownPayoutAccounts, listOwnAccounts);
  routes.byBody(payoutEndpoints.addPayoutAccount, addAccount);
  routes.byTag(payoutEndpoints.freezePayoutAccount, freezeAccount);
  routes.publicAuth(payoutEndpoints.freezeByLink, ({ caller, body }) =>
    freezeByLink({ platform, caller }, limits, body.token),
  );
  routes.byTag(payoutEndpoints.businessPayoutAccounts, listBusinessAccounts);
  routes.byTag(payoutEndpoints.askHolder, readHolder);
  routes.byTag(payoutEndpoints.verifyPayoutAccount, verifyAccount);
  routes.byTag(payoutEndpoints.choosePayoutAccount, chooseAccount);
  routes.byTag(payoutEndpoints.applicationPayout, readPayout);
  routes.byBody(payoutEndpoints.payoutBoard, readBoard);
  routes.byTag(payoutEndpoints.preparePayout, preparePayout);
  routes.byTag(payoutEndpoints.releasePayout, releasePayout);
  routes.byTag(payoutEndpoints.cancelPayout, cancelPayout);
}
