import { paymentEndpoints } from '#contract/payments/endpoints.ts';
import type { Routes } from '#server/http/http.ts';
import { confirmWriteOff, dropWriteOff, proposeWriteOff } from '#server/payments/write-offs/write-offs.service.ts';
import { recordDeduction } from './deductions.service.ts';
import { listPayments, recordReceipt } from './payments.service.ts';
import { reverseEntry } from './reversals.service.ts';

/** What was paid on an application. */
export function paymentRoutes(routes: Routes): void {
  const { platform } = routes;
  routes.signedIn(paymentEndpoints.listPayments, ({ caller, params }) => listPayments(platform, caller, params.tag));
  routes.signedIn(paymentEndpoints.recordReceipt, async ({ caller, params, body }) => ({
    success: true as const,
    data: await recordReceipt(platform, caller, params.tag, body),
  }));
  routes.signedIn(paymentEndpoints.recordDeduction, async ({ caller, params, body }) => ({
    success: true as const,
    data: await recordDeduction(platform, caller, params.tag, body),
  }));
  routes.signedIn(paymentEndpoints.proposeWriteOff, ({ caller, params, body }) =>
    proposeWriteOff(platform, caller, params.tag, body),
  );
  routes.signedIn(paymentEndpoints.confirmWriteOff, ({ caller, params, body }) =>
    confirmWriteOff(platform, caller, params.tag, body),
  );
  routes.signedIn(paymentEndpoints.dropWriteOff, ({ caller, params, body }) =>
    dropWriteOff(platform, caller, params.tag, body),
  );
  routes.signedIn(paymentEndpoints.reverseEntry, async ({ caller, params, body }) => ({
    success: true as const,
    data: await reverseEntry(platform, caller, params.tag, body),
  }));
}
