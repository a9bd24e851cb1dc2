import type { z } from 'zod';
import { offerEndpoints } from '#contract/offers/endpoints.ts';
import type { extensionBody } from '#contract/offers/schema.ts';
import { callApi } from '#web/platform/api/api.ts';
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
  | { readonly name: 'agree' | 'accept'; readonly version: string };

function call(act: ExtensionAct, options: { params: { tag: string }; idempotencyKey: string }) {
  switch (act.name) {
    case 'ask':
      return callApi(offerEndpoints.askExtension, act.body, options);
    case 'offer':
      return callApi(offerEndpoints.offerExtension, act.body, options);
    case 'agree':
      return callApi(offerEndpoints.agreeExtension, { keyFactsVersion: act.version }, options);
    case 'withdraw':
      return callApi(offerEndpoints.withdrawExtension, undefined, options);
    case 'accept':
      return callApi(offerEndpoints.acceptExtension, { keyFactsVersion: act.version }, options);
  }
}

/** Does it; over when it shows. */
export function useExtensionAct(tag: string) {
  return useChange(
    ({ act, idempotencyKey }: { readonly act: ExtensionAct; readonly idempotencyKey: string }) =>
      call(act, { params: { tag }, idempotencyKey }),
    shown,
  );
}
