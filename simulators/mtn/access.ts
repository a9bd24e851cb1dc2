import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Answer, jsonOf, Refusal } from '#simulators/ground/serve.ts';
import type { Simulator } from '#simulators/ground/simulator.ts';
import { type RefusalName, refusals } from './test-numbers.ts';

/** MTN's authentication: subscription keys, users and their keys, tokens, and target environments. */

export const products = ['disbursement', 'collection'] as const;
export type Product = (typeof products)[number];

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const key = z.string().min(1);
const account = (nth: number) =>
  z.strictObject({ subscriptionKeys: z.array(key).min(1), apiUser: z.string().regex(uuid4), apiKey: key }).default({
    subscriptionKeys: [`simulated-key-${nth}-primary`, `simulated-key-${nth}-secondary`],
    apiUser: `00000000-0000-4000-8000-00000000000${nth}`,
    apiKey: `simulated-api-key-${nth}`,
  });

/** A simulated MTN's settings. Its users come from the Partner Portal; provisioning creates more. */
export const mtnSettings = z.strictObject({
  targetEnvironment: z.enum(['sandbox', 'mtnuganda']).default('mtnuganda'),
  callbackHost: z.string().default('localhost'),
  tokenSeconds: z.int().min(1).default(3600),
  disbursement: account(1),
  collection: account(2),
});
export type MtnSettings = z.output<typeof mtnSettings>;

interface User {
  readonly product: Product;
  readonly callbackHost: string;
  readonly apiKey: string | null;
}
const user = z.strictObject({ product: z.enum(products), callbackHost: z.string(), apiKey: z.string().nullable() });

interface Token {
  readonly product: Product;
  readonly user: User;
  readonly since: number;
}

/** One of MTN's documented refusals. */
export function refusal(code: RefusalName): Refusal {
  const [status, message] = refusals[code];
  return new Refusal(status, { message, code });
}

/** The gateway's refusal of an invalid call. It gives no details; `detail` is for debugging. */
export function badRequest(detail: string): Refusal {
  return new Refusal(400, {
    statusCode: 400,
    message: 'Bad request. Request does not follow the specification.',
    detail,
  });
}

export function header({ headers }: FastifyRequest, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** The reference of a new resource: a UUID of version 4. */
export function referenceOf(request: FastifyRequest): string {
  const reference = header(request, 'x-reference-id');
  if (!uuid4.test(reference)) throw badRequest('X-Reference-Id must be a UUID of version 4');
  return reference.toLowerCase();
}

/** Authenticates calls. Tokens are kept in memory only, users in the book. */
export class Access {
  readonly #simulator: Simulator;
  readonly #settings: MtnSettings;
  readonly #tokens = new Map<string, Token>();

  constructor(simulator: Simulator, settings: MtnSettings) {
    this.#simulator = simulator;
    this.#settings = settings;
  }

  /** POST /v1_0/apiuser: creates a user of the subscription key's product. */
  createUser(request: FastifyRequest): Answer {
    const product = this.#productOfKey(request);
    const id = referenceOf(request);
    const wanted = z
      .strictObject({ providerCallbackHost: z.string().regex(/^[a-z0-9.-]+$/i) })
      .safeParse(jsonOf(request));
    if (!wanted.success) throw badRequest('the body is { providerCallbackHost }, a host without scheme and path');
    if (this.#user(id) !== undefined) throw refusal('RESOURCE_ALREADY_EXIST');
    this.#keep(id, { product, callbackHost: wanted.data.providerCallbackHost, apiKey: null });
    return { status: 201 };
  }

  /** POST /v1_0/apiuser/{id}/apikey: creates a key and shows it once. */
  createKey(request: FastifyRequest, id: string): Answer {
    this.#productOfKey(request);
    const found = this.#user(id);
    if (found === undefined) throw refusal('RESOURCE_NOT_FOUND');
    const apiKey = randomBytes(16).toString('hex');
    this.#keep(id, { ...found, apiKey });
    return { status: 201, body: { apiKey } };
  }

  /** GET /v1_0/apiuser/{id}. */
  showUser(request: FastifyRequest, id: string): Answer {
    this.#productOfKey(request);
    const found = this.#user(id);
    if (found === undefined) throw refusal('RESOURCE_NOT_FOUND');
    const { targetEnvironment } = this.#settings;
    return { status: 200, body: { providerCallbackHost: found.callbackHost, targetEnvironment } };
  }

  /** POST /{product}/token/ by Basic authentication. */
  createToken(request: FastifyRequest, product: Product): Answer {
    this.#needKey(request, product);
    const basic = /^Basic ([A-Za-z0-9+/=]+)$/.exec(header(request, 'authorization'))?.[1] ?? '';
    const [id = '', apiKey = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':');
    const found = this.#user(id);
    if (found === undefined || found.apiKey === null || found.apiKey !== apiKey)
      throw new Refusal(401, { error: 'login_failed' });
    const token = randomBytes(48).toString('base64url');
    this.#tokens.set(token, { product, user: found, since: this.#simulator.clock.now() });
    return {
      status: 200,
      body: { access_token: token, token_type: 'access_token', expires_in: this.#settings.tokenSeconds },
    };
  }

  /** Returns the caller's user; throws the refusal of the gateway or MTN. */
  admit(request: FastifyRequest, product: Product): { readonly callbackHost: string } {
    this.#needKey(request, product);
    const bearer = /^Bearer (\S+)$/.exec(header(request, 'authorization'))?.[1] ?? '';
    const token = this.#tokens.get(bearer);
    const seconds = this.#simulator.faults.standing('expire-tokens')?.seconds ?? this.#settings.tokenSeconds;
    const isOver = token !== undefined && this.#simulator.clock.now() >= token.since + seconds * 1000;
    if (token === undefined || isOver || token.product !== product)
      throw new Refusal(401, { statusCode: 401, message: 'Unauthorized' });
    const environment = header(request, 'x-target-environment');
    if (environment === '') throw badRequest('X-Target-Environment is missing');
    // Observed: a user of another product gets the refusal of an unknown one.
    if (environment !== this.#settings.targetEnvironment || token.user.product !== product)
      throw refusal('NOT_ALLOWED_TARGET_ENVIRONMENT');
    return token.user;
  }

  #needKey(request: FastifyRequest, product: Product): void {
    if (this.#productOfKey(request) !== product) throw wrongKey();
  }

  #productOfKey(request: FastifyRequest): Product {
    const shown = header(request, 'ocp-apim-subscription-key');
    if (shown === '')
      throw new Refusal(401, {
        statusCode: 401,
        message:
          'Access denied due to missing subscription key. Make sure to include subscription key when making requests to an API.',
      });
    const product = products.find((one) => this.#settings[one].subscriptionKeys.includes(shown));
    if (product === undefined) throw wrongKey();
    return product;
  }

  /** A user of the Partner Portal, or a provisioned one. */
  #user(id: string): User | undefined {
    const product = products.find((one) => this.#settings[one].apiUser === id);
    if (product !== undefined)
      return { product, callbackHost: this.#settings.callbackHost, apiKey: this.#settings[product].apiKey };
    const kept = this.#simulator.book.kept(`user ${id}`);
    return kept === undefined ? undefined : user.parse(JSON.parse(kept));
  }

  #keep(id: string, value: User): void {
    this.#simulator.book.record({ type: 'kept', name: `user ${id}`, value: JSON.stringify(value) });
  }
}

function wrongKey(): Refusal {
  return new Refusal(401, {
    statusCode: 401,
    message:
      'Access denied due to invalid subscription key. Make sure to provide a valid key for an active subscription.',
  });
}
