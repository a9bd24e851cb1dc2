import { z } from 'zod';
import { actionsAt } from '#contract/actions.ts';
import { endpoint } from '#contract/endpoint.ts';
import { byTag, made, noBody, success, tag } from '#contract/fields.ts';
import {
  applicationPayout,
  cancelPayoutBody,
  chooseAccountBody,
  freezeLinkBody,
  frozenReply,
  officerPayoutAccount,
  ownPayoutAccounts,
  payoutAccountForm,
  payoutBoard,
  preparePayoutBody,
  releasePayoutBody,
  verifyAccountBody,
} from './schema.ts';

const withAccount = actionsAt('/payout_accounts', 'payoutAccounts.verify', success);
const byClient = actionsAt('/applications', 'payoutAccounts.own', success);
const byOfficer = actionsAt('/applications', 'payments.record', success);

/** Payout accounts, and payouts prepared by one officer and released by another (docs/decisions/0044-payout-accounts.md). */
export const payoutEndpoints = {
  ownPayoutAccounts: endpoint({
    method: 'GET',
    path: '/payout_accounts/own',
    summary: 'The payout accounts of the caller’s own business, the newest first',
    reply: ownPayoutAccounts,
    needs: 'payoutAccounts.own',
  }),
  addPayoutAccount: endpoint({
    method: 'POST',
    path: '/payout_accounts',
    summary: 'Add a payout account with the own password; everybody in the business is told',
    body: payoutAccountForm,
    reply: success.extend({ tag }),
    needs: 'payoutAccounts.own',
    ownQueue: true,
  }),
  freezePayoutAccount: endpoint({
    method: 'POST',
    path: '/payout_accounts/:tag/freeze',
    summary: 'Freeze an account: nothing is paid to it until an officer verifies it again',
    params: byTag,
    body: noBody,
    reply: success,
    needs: 'payoutAccounts.freeze',
  }),
  freezeByLink: endpoint({
    method: 'POST',
    path: '/payout_accounts/freeze',
    summary: 'Freeze an account by the link of a message, without a login',
    body: freezeLinkBody,
    reply: frozenReply,
    needs: 'public',
  }),
  businessPayoutAccounts: endpoint({
    method: 'GET',
    path: '/businesses/:tag/payout_accounts',
    summary: 'The payout accounts of a business, the newest first',
    params: byTag,
    reply: z.array(officerPayoutAccount),
    needs: 'payoutAccounts.verify',
  }),
  askHolder: endpoint({
    method: 'POST',
    path: '/payout_accounts/:tag/holder',
    summary: 'Ask the provider of an account who holds it, where it can be asked',
    params: byTag,
    body: noBody,
    reply: officerPayoutAccount,
    needs: 'payoutAccounts.verify',
  }),
  verifyPayoutAccount: withAccount(
    'verify',
    'Verify an account that was added, or one that was frozen; it is usable after the wait',
    verifyAccountBody,
  ),
  choosePayoutAccount: byClient(
    'payout_account',
    'Choose the account that an application is paid to, until a payout is prepared',
    chooseAccountBody,
  ),
  applicationPayout: endpoint({
    method: 'GET',
    path: '/applications/:tag/payout',
    summary: 'Where an application’s money goes, and the payout that is prepared',
    params: byTag,
    reply: applicationPayout,
    needs: 'invoices.view',
  }),
  payoutBoard: endpoint({
    method: 'GET',
    path: '/payouts/board',
    summary: 'Every payout that is not over, by what happens next, and the accounts to check',
    reply: payoutBoard,
    needs: 'desk.view',
  }),
  preparePayout: endpoint({
    method: 'POST',
    path: '/applications/:tag/payout/prepare',
    summary: 'Prepare the payout that is due, for another officer to release',
    params: byTag,
    body: preparePayoutBody,
    reply: made,
    needs: 'payments.record',
  }),
  releasePayout: endpoint({
    method: 'POST',
    path: '/applications/:tag/payout/release',
    summary: 'Release a payout that another officer prepared, with the second factor, and record its payment',
    params: byTag,
    body: releasePayoutBody,
    reply: made,
    needs: 'payments.record',
    ownQueue: true,
  }),
  cancelPayout: byOfficer('payout/cancel', 'Cancel a prepared payout with a reason', cancelPayoutBody),
} as const;
