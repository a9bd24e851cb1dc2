import { generateKeyPairSync, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { airtelSettings } from '#simulators/airtel/access.ts';
import { airtel } from '#simulators/airtel/airtel.ts';
import { mtnSettings } from '#simulators/mtn/access.ts';
import { mtn } from '#simulators/mtn/mtn.ts';
import type { Provider } from './provider.ts';
import { buildServer } from './server.ts';
import { Simulator } from './simulator.ts';

/** A simulator answers hostile calls with a provider's refusals, never with an internal error. */

const settings = mtnSettings.parse({});
const providers: Readonly<Record<string, Provider>> = {
  mtn: mtn(settings),
  airtel: airtel(airtelSettings.parse({}), generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
};

const paths: Readonly<Record<string, readonly string[]>> = {
  mtn: [
    '/v1_0/apiuser',
    '/disbursement/token/',
    '/disbursement/v1_0/transfer',
    '/collection/v1_0/requesttopay',
    '/collection/v1_0/requesttopay/x/deliverynotification',
  ],
  airtel: [
    '/auth/oauth2/token',
    '/merchant/v1/payments/',
    '/standard/v1/disbursements/',
    '/standard/v2/disbursements/',
  ],
};
const shared = ['/phone/256772345678/payments', '/phone/256772345678/requests/x', '/simulator/clock', '/nowhere'];

/** Authorized headers, so that bodies are read. */
async function headersFor(name: string, app: ReturnType<typeof buildServer>): Promise<Record<string, string>> {
  const [url, body, headers] =
    name === 'mtn'
      ? ([
          '/disbursement/token/',
          '',
          {
            authorization: `Basic ${Buffer.from(`${settings.disbursement.apiUser}:${settings.disbursement.apiKey}`).toString('base64')}`,
            'ocp-apim-subscription-key': 'simulated-key-1-primary',
          },
        ] as const)
      : ([
          '/auth/oauth2/token',
          '{"client_id":"simulated-client","client_secret":"simulated-secret","grant_type":"client_credentials"}',
          {},
        ] as const);
  const reply = await app.inject({ method: 'POST', url, headers, payload: body });
  const token = z.object({ access_token: z.string() }).parse(reply.json()).access_token;
  return {
    ...headers,
    authorization: `Bearer ${token}`,
    'x-target-environment': 'mtnuganda',
    'x-country': 'UG',
    'x-currency': 'UGX',
  };
}

const party = fc.record({ partyIdType: fc.constant('MSISDN'), partyId: fc.string(), msisdn: fc.anything() });
const nearly = fc.record({
  amount: fc.oneof(fc.string(), fc.double(), fc.constant('1000')),
  currency: fc.constantFrom('UGX', 'EUR', ''),
  externalId: fc.string(),
  reference: fc.string(),
  payerMessage: fc.string(),
  payeeNote: fc.string(),
  payee: party,
  payer: party,
  subscriber: party,
  pin: fc.string(),
  transaction: fc.record({ id: fc.string(), amount: fc.oneof(fc.string(), fc.double(), fc.bigInt().map(String)) }),
});
const body = fc.oneof(
  fc.string(),
  fc.json(),
  nearly.map((value) => JSON.stringify(value)),
);
const header = fc.string({ unit: fc.constantFrom('a', '0', '-', ':', ' ', '/', '=') });

it.each(['mtn', 'airtel'])('%s answers every call, and accepts no order that it cannot pay', async (name) => {
  const provider = providers[name];
  if (provider === undefined) throw new Error(`there is no ${name}`);
  const simulator = new Simulator(provider, { bookFile: undefined, settleMs: 0 });
  const app = buildServer(simulator);
  simulator.fund('disbursement', 1_000_000);
  simulator.putWallet({ msisdn: '256772345678', name: 'N', state: 'active', funded: 10 });
  const headers = await headersFor(name, app);
  const all = [...(paths[name] ?? []), ...shared];
  const changed = fc.record({ 'x-callback-url': header, 'x-signature': header, 'x-key': header }, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...all), body, changed, async (url, payload, more) => {
      const reply = await app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', 'x-reference-id': randomUUID(), ...headers, ...more },
        payload,
      });
      expect(reply.statusCode < 500 || reply.json()).toEqual(
        reply.statusCode < 500 ? true : { message: expect.any(String), code: expect.stringMatching(/^[A-Z_]+$/) },
      );
    }),
    { numRuns: 500 },
  );
  expect(simulator.book.sums().held).toBe(simulator.book.sums().funded);
  await app.close();
});
