import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Call, call, type Reply } from '#simulators/ground/calls.harness.ts';

/** An MTN client for tests, written from the documentation, independent of the product's client. */

const credentials = {
  disbursement: ['00000000-0000-4000-8000-000000000001', 'simulated-api-key-1', 'simulated-key-1-primary'],
  collection: ['00000000-0000-4000-8000-000000000002', 'simulated-api-key-2', 'simulated-key-2-primary'],
} as const;
type Product = keyof typeof credentials;

export interface Changes {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly id?: string;
  readonly signal?: AbortSignal;
}

export function mtnAt(url: string) {
  const token = async (product: Product): Promise<string> => {
    const [user, key, subscription] = credentials[product];
    const reply = await call('POST', `${url}/${product}/token/`, {
      headers: {
        authorization: `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`,
        'ocp-apim-subscription-key': subscription,
      },
    });
    return z.object({ access_token: z.string() }).parse(reply.body).access_token;
  };
  const headersOf = async (product: Product, changed: Changes['headers'] = {}): Promise<Record<string, string>> => {
    const all: Record<string, string | undefined> = {
      authorization: `Bearer ${await token(product)}`,
      'ocp-apim-subscription-key': credentials[product][2],
      'x-target-environment': 'mtnuganda',
      ...changed,
    };
    return Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  };
  const order = async (product: Product, path: string, { headers, body, id, signal }: Changes, more: object) => {
    const reference = id ?? randomUUID();
    const made: Call = {
      headers: await headersOf(product, { 'x-reference-id': reference, ...headers }),
      body: {
        amount: '1000',
        currency: 'UGX',
        externalId: 'ACDEFGH',
        payerMessage: 'Pay',
        payeeNote: 'Paid',
        ...more,
        ...body,
      },
      ...(signal === undefined ? {} : { signal }),
    };
    return { reference, reply: await call('POST', `${url}${path}`, made) };
  };
  const get = async (product: Product, path: string): Promise<Reply> =>
    call('GET', `${url}/${product}/v1_0${path}`, { headers: await headersOf(product) });
  return {
    token,
    get,
    headersOf,
    transfer: (msisdn: string, changes: Changes = {}) =>
      order('disbursement', '/disbursement/v1_0/transfer', changes, {
        payee: { partyIdType: 'MSISDN', partyId: msisdn },
      }),
    request: (msisdn: string, changes: Changes = {}) =>
      order('collection', '/collection/v1_0/requesttopay', changes, {
        payer: { partyIdType: 'MSISDN', partyId: msisdn },
      }),
    transferStatus: (id: string) => get('disbursement', `/transfer/${id}`),
    requestStatus: (id: string) => get('collection', `/requesttopay/${id}`),
  };
}
