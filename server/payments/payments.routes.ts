import { paymentEndpoints } from '#contract/payments/endpoints.ts';
import type { Routes } from '#server/http/http.ts';
import { listPayments, recordPayment, reverseEntry } from './payments.service.ts';

/** The ledger of an application. */
export function paymentRoutes(routes: Routes): void {
  const { platform } = routes;
  routes.signedIn(paymentEndpoints.listPayments, ({ caller, params }) => listPayments(platform, caller, params.tag));
  routes.signedIn(paymentEndpoints.recordDisbursement, async ({ caller, params, body }) => ({
    success: true as const,
    data: await recordPayment(platform, caller, params.tag, { kind: 'disbursement', ...body }),
  }));
  routes.signedIn(paymentEndpoints.recordReceipt, async ({ caller, params, body }) => ({
    success: true as const,
    data: await recordPayment(platform, caller, params.tag, { kind: 'receipt', ...body }),
  }));
  routes.signedIn(paymentEndpoints.recordSurplus, async ({ caller, params, body }) => ({
    success: true as const,
    data: await recordPayment(platform, caller, params.tag, { kind: 'surplus', ...body }),
  }));
  routes.signedIn(paymentEndpoints.reverseEntry, async ({ caller, params, body }) => ({
    success: true as const,
    data: await reverseEntry(platform, caller, params.tag, body),
  }));
}
