import { paymentEndpoints } from '#contract/payments/endpoints.ts';
import { doneWith } from '#server/http/done.ts';
import type { Routes } from '#server/http/http.ts';
import { confirmWriteOff, dropWriteOff, proposeWriteOff } from '#server/payments/write-offs/write-offs.service.ts';
import { recordDeduction } from './deductions.service.ts';
import { listPayments, recordReceipt } from './payments.service.ts';
import { reverseEntry } from './reversals.service.ts';

/** What was paid on an application. */
export function paymentRoutes(routes: Routes): void {
  routes.byTag(paymentEndpoints.listPayments, listPayments);
  routes.byTag(paymentEndpoints.recordReceipt, (...call) => doneWith(recordReceipt(...call)));
  routes.byTag(paymentEndpoints.recordDeduction, (...call) => doneWith(recordDeduction(...call)));
  routes.byTag(paymentEndpoints.proposeWriteOff, proposeWriteOff);
  routes.byTag(paymentEndpoints.confirmWriteOff, confirmWriteOff);
  routes.byTag(paymentEndpoints.dropWriteOff, dropWriteOff);
  routes.byTag(paymentEndpoints.reverseEntry, (...call) => doneWith(reverseEntry(...call)));
}
