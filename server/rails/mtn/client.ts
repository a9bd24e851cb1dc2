import type { RailGround } from '#server/rail-port/rail.ts';
import type { ProviderRequest, Reply } from '#server/rails/provider-call.ts';
import { ProviderSession, type Words } from '#server/rails/provider-session.ts';
import type { MtnSettings, ProductName } from './settings.ts';

/**
 * The path for sending, by product (https://momodeveloper.mtn.com, read 2026-11-23; docs/decisions/0049-providers.md).
 */
const sendPaths = {
  disbursement: '/disbursement/v1_0/transfer',
  collection: '/collection/v1_0/requesttopay',
} as const satisfies Record<ProductName, string>;

/** One product of MTN MoMo: its paths and headers, with its own token. */
export interface MtnClient {
  readonly words: Words;
  /** Sends an order's body under its reference. */
  send(reference: string, body: unknown, signal: AbortSignal): Promise<Reply>;
  ask(reference: string, signal: AbortSignal): Promise<Reply>;
  /** A call about a holder, by `msisdn` such as 256772123456. */
  holder(msisdn: string, what: 'active' | 'basicuserinfo', signal: AbortSignal): Promise<Reply>;
}

/** Opens a product. */
export function mtnClient(product: ProductName, settings: MtnSettings, ground: RailGround): MtnClient {
  const { subscriptionKey, apiUser, apiKey } = settings.keys[product];
  const login = Buffer.from(`${apiUser}:${apiKey}`).toString('base64');
  const session = new ProviderSession({
    now: ground.now,
    secrets: [subscriptionKey, apiKey, login],
    tokenRequest: {
      method: 'POST',
      url: `${settings.url}/${product}/token/`,
      headers: { authorization: `Basic ${login}`, 'ocp-apim-subscription-key': subscriptionKey },
    },
  });
  const call = (request: Pick<ProviderRequest, 'method' | 'body'>, path: string, signal: AbortSignal, more = {}) => {
    const headers = { 'x-target-environment': settings.environment, 'ocp-apim-subscription-key': subscriptionKey };
    return session.call({ ...request, url: `${settings.url}${path}`, headers: { ...headers, ...more } }, signal);
  };
  const sendPath = sendPaths[product];
  return {
    words: session.words,
    send: (reference, body, signal) =>
      call({ method: 'POST', body: JSON.stringify(body) }, sendPath, signal, {
        'content-type': 'application/json',
        'x-reference-id': reference,
        ...callbackHeader(ground.callbackUrl, settings.url),
      }),
    ask: (reference, signal) => call({ method: 'GET' }, `${sendPath}/${encodeURIComponent(reference)}`, signal),
    holder: (msisdn, what, signal) =>
      call({ method: 'GET' }, `/${product}/v1_0/accountholder/msisdn/${encodeURIComponent(msisdn)}/${what}`, signal),
  };
}

/**
 * MTN calls back over https only, and refuses an order with another address. A simulator is called over http on this
 * machine, and calls back over http.
 */
export function callbackHeader(callbackUrl: string | undefined, mtnUrl: string): Readonly<Record<string, string>> {
  if (callbackUrl === undefined || !(callbackUrl.startsWith('https:') || mtnUrl.startsWith('http:'))) return {};
  return { 'x-callback-url': callbackUrl };
}
