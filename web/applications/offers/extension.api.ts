import type { z } from 'zod';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { collectionEndpoints } from '#contract/collections/endpoints.ts';
import { deskEndpoints } from '#contract/desk/endpoints.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { figureEndpoints } from '#contract/figures/endpoints.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { limitEndpoints } from '#contract/limits/endpoints.ts';
import { offerEndpoints } from '#contract/offers/endpoints.ts';
import type { acceptOfferBody, extensionBody } from '#contract/offers/schema.ts';
import { paymentEndpoints } from '#contract/payments/endpoints.ts';
import { callWith } from '#web/platform/api/api.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useChange } from '#web/platform/api/use-change.ts';

/** Endpoints whose replies show an extension. Only these, because the client may have a bad connection. */
const shown = [
  offerEndpoints.loadExtension,
  applicationEndpoints.progress,
  applicationEndpoints.attention,
  paymentEndpoints.listPayments,
  collectionEndpoints.repayment,
  deskEndpoints.loadCase,
  deskEndpoints.deskQueue,
  deskEndpoints.deskCounts,
  figureEndpoints.ownFigures,
  figureEndpoints.allFigures,
  invoiceEndpoints.listInvoices,
  limitEndpoints.ownLimits,
  limitEndpoints.businessLimits,
];

/** Whether an application can get more time to pay back, and what it would cost. */
export function useExtension(tag: string) {
  return useCall(offerEndpoints.loadExtension, { params: { tag }, ...live });
}

/** The actions on an extension. */
export type ExtensionAct =
  | { readonly name: 'ask' | 'offer'; readonly body: z.input<typeof extensionBody> }
  | { readonly name: 'withdraw' }
  | { readonly name: 'agree' | 'accept'; readonly body: z.input<typeof acceptOfferBody> };

const calls: Readonly<Record<ExtensionAct['name'], Endpoint>> = {
  ask: offerEndpoints.askExtension,
  offer: offerEndpoints.offerExtension,
  agree: offerEndpoints.agreeExtension,
  withdraw: offerEndpoints.withdrawExtension,
  accept: offerEndpoints.acceptExtension,
};

/** Performs an action; finished when the screen shows its effect. */
export function useExtensionAct(tag: string) {
  return useChange(
    ({ act, idempotencyKey }: { readonly act: ExtensionAct; readonly idempotencyKey: string }) =>
      callWith(calls[act.name], 'body' in act ? act.body : undefined, { params: { tag }, idempotencyKey }),
    shown,
  );
}
