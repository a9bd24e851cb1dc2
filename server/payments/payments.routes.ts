import { paymentEndpoints } from '#contract/payments/endpoints.ts';
import { doneWith } from '#server/calls/done.ts';
import type { Routes } from '#server/http/http.ts';
import { confirmProposal, withdrawProposal } from '#server/payments/proposals/proposals.service.ts';
import { proposeReceipt } from '#server/payments/proposals/receipts.service.ts';
import { proposeWriteOff } from '#server/payments/proposals/write-offs.service.ts';
import { recordDeduction } from './deductions.service.ts';
import { listPayments } from './ledger.service.ts';
import { recordReceipt } from './payments.service.ts';
import { proposeReversal, reverseEntry } from './reversals.service.ts';

/** Payments on an application. */
export function paymentRoutes(routes: Routes): void {
  routes.byTag(paymentEndpoints.listPayments, listPayments);
  routes.byTag(paymentEndpoints.recordReceipt, (...call) => doneWith(recordReceipt(...call)));
  routes.byTag(paymentEndpoints.recordDeduction, (...call) => doneWith(recordDeduction(...call)));
  routes.byTag(paymentEndpoints.proposeReceipt, proposeReceipt);
  routes.byTag(paymentEndpoints.proposeWriteOff, proposeWriteOff);
  routes.byTag(paymentEndpoints.proposeReversal, proposeReversal);
  routes.byTag(paymentEndpoints.confirmProposal, confirmProposal);
  routes.byTag(paymentEndpoints.dropProposal, withdrawProposal);
  routes.byTag(paymentEndpoints.reverseEntry, (...call) => doneWith(reverseEntry(...call)));
}
