import type { RailGround } from '#server/rail-port/rail.ts';
import type { Reply } from '#server/rails/provider-call.ts';
import { ProviderSession, type Words } from '#server/rails/provider-session.ts';
import { encryptedPin } from './pin.ts';
import type { AirtelSettings } from './settings.ts';
import type { ProductName } from './states.ts';

/** Uganda. These settings are only for Airtel Uganda. */
export const COUNTRY = 'UG';
export const CURRENCY = 'UGX';

/**
 * The paths for sending and asking, by product (docs/decisions/0049-providers.md). Version 1, which needs no signed
 * payload.
 */
const paths = {
  disbursement: { send: '/standard/v1/disbursements/', ask: '/standard/v1/disbursements/' },
  collection: { send: '/merchant/v1/payments/', ask: '/standard/v1/payments/' },
} as const satisfies Record<ProductName, object>;

/** Airtel Money's calls, with one token for all of them. */
export interface AirtelClient {
  readonly words: Words;
  /** The PIN, encrypted for a disbursement. */
  readonly encryptedPin: string;
  send(product: ProductName, body: unknown, signal: AbortSignal): Promise<Reply>;
  ask(product: ProductName, id: string, signal: AbortSignal): Promise<Reply>;
  /** The user enquiry, by a number without country code. */
  user(msisdn: string, signal: AbortSignal): Promise<Reply>;
}

/** Opens the client. */
export function airtelClient(settings: AirtelSettings, ground: RailGround): AirtelClient {
  const { url, clientId, clientSecret, pin } = settings;
  const encrypted = encryptedPin(settings);
  const json = { 'content-type': 'application/json', accept: '*/*' };
  const session = new ProviderSession({
    now: ground.now,
    secrets: [clientSecret, encrypted, pin],
    tokenRequest: {
      method: 'POST',
      url: `${url}/auth/oauth2/token`,
      headers: json,
      body: JSON.stringify({ client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' }),
    },
  });
  const headers = { ...json, 'x-country': COUNTRY, 'x-currency': CURRENCY };
  const get = (path: string, signal: AbortSignal) =>
    session.call({ method: 'GET', url: `${url}${path}`, headers }, signal);
  return {
    words: session.words,
    encryptedPin: encrypted,
    send: (product, body, signal) =>
      session.call(
        { method: 'POST', url: `${url}${paths[product].send}`, headers, body: JSON.stringify(body) },
        signal,
      ),
    ask: (product, id, signal) => get(`${paths[product].ask}${encodeURIComponent(id)}`, signal),
    user: (msisdn, signal) => get(`/standard/v1/users/${encodeURIComponent(msisdn)}`, signal),
  };
}
