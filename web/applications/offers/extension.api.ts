import type { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { offerEndpoints } from '#contract/offers/endpoints.ts';
import type { acceptOfferBody, extensionBody } from '#contract/offers/schema.ts';
import { callWith } from '#web/platform/api/api.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { useChange } from '#web/platform/api/use-change.ts';

const extensionKey = ['extension'] as const;
/** Queries that show more time; also its client's on a bad line. */
const shown = [
  extensionKey,
  ...[['progress'], ['payments'], ['repayment'], ['desk'], ['figures'], ['attention'], ['applications'], ['limits']],
] as const;

/** Whether an application may have more time to be paid back, and what it would cost. */
export function useExtension(tag: string) {
  return useCall(offerEndpoints.loadExtension, { key: [...extensionKey, tag], params: { tag }, ...live });
}

/** The actions on more time. */
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

/** Does it; over when it shows. */
export function useExtensionAct(tag: string) {
  return useChange(
    ({ act, idempotencyKey }: { readonly act: ExtensionAct; readonly idempotencyKey: string }) =>
      callWith(calls[act.name], 'body' in act ? act.body : undefined, { params: { tag }, idempotencyKey }),
    shown,
  );
}
