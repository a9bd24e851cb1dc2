import {
  constants,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
  randomBytes,
} from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Answer, jsonOf, Refusal } from '#simulators/ground/serve.ts';
import type { Simulator } from '#simulators/ground/simulator.ts';
import { outcomes, texts } from './codes.ts';

/** Airtel's authentication: client secrets, tokens, country and currency, PINs, and message signatures. */

/** A simulated Airtel's settings. The callback address belongs to the application, not to a call. */
export const airtelSettings = z.strictObject({
  clientId: z.string().min(1).default('simulated-client'),
  clientSecret: z.string().min(1).default('simulated-secret'),
  pin: z
    .string()
    .regex(/^\d{4}$/)
    .default('1234'),
  callbackUrl: z.url().nullable().default(null),
  /** The key of callback hashes; null for callbacks without a hash. */
  callbackKey: z.string().nullable().default('simulated-callback-key'),
  /** The content of the hash, on which the sources disagree. */
  hashOver: z.enum(['transaction', 'body']).default('transaction'),
  /** Whether disbursements are called back too, as one source says. */
  callsBackForDisbursements: z.boolean().default(false),
  /** Whether the application requires message signatures. */
  needsSignature: z.boolean().default(false),
  tokenSeconds: z.int().min(1).default(180),
});
export type AirtelSettings = z.output<typeof airtelSettings>;

export const COUNTRY = 'UG';
export const CURRENCY = 'UGX';

/** A refusal in the documented form: a `status` object, usually with HTTP 200. */
export function refusal(
  message: string,
  codes: { readonly response?: string; readonly result?: string },
  http = 200,
): Refusal {
  const { response, result } = codes;
  return new Refusal(http, {
    status: {
      code: '400',
      message,
      ...(response === undefined ? {} : { response_code: response }),
      ...(result === undefined ? {} : { result_code: result }),
      success: false,
    },
  });
}

/** The key pair whose public half Airtel publishes; created once, stored beside the book. */
export function keyPairIn(folder: string | undefined): KeyObject {
  const file = folder === undefined ? undefined : join(folder, 'airtel-key.pem');
  if (file !== undefined && existsSync(file)) return createPrivateKey(readFileSync(file));
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  if (file !== undefined) writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return privateKey;
}

function header({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : undefined;
}

/** Authenticates calls. Tokens are kept in memory only. */
export class Access {
  readonly #simulator: Simulator;
  readonly #settings: AirtelSettings;
  readonly #privateKey: KeyObject;
  /** Issue times. */
  readonly #tokens = new Map<string, number>();

  constructor(simulator: Simulator, settings: AirtelSettings, privateKey: KeyObject) {
    this.#simulator = simulator;
    this.#settings = settings;
    this.#privateKey = privateKey;
  }

  /** POST /auth/oauth2/token. */
  createToken(request: FastifyRequest): Answer {
    const wanted = z
      .object({ client_id: z.string(), client_secret: z.string(), grant_type: z.literal('client_credentials') })
      .safeParse(jsonOf(request));
    const { clientId, clientSecret, tokenSeconds } = this.#settings;
    if (wanted.data?.client_id !== clientId || wanted.data.client_secret !== clientSecret)
      throw new Refusal(400, { error_description: 'Invalid client authentication', error: 'invalid_client' });
    const token = randomBytes(24).toString('base64url');
    this.#tokens.set(token, this.#simulator.clock.now());
    return { status: 200, body: { token_type: 'bearer', access_token: token, expires_in: String(tokenSeconds) } };
  }

  /** GET /v1/rsa/encryption-keys: the key for PINs and signatures. */
  showKey(request: FastifyRequest): Answer {
    this.admit(request);
    const data = { key_id: 1, key: publicKeyOf(this.#privateKey), valid_upto: '2099-12-31T00:00:00' };
    const status = { code: '200', message: 'SUCCESS', response_code: 'DP02010001001', success: true };
    return { status: 200, body: { data, status } };
  }

  /** Throws a refusal unless the call is authorized. */
  admit(request: FastifyRequest): void {
    const bearer = /^Bearer (\S+)$/.exec(header(request, 'authorization') ?? '')?.[1] ?? '';
    const since = this.#tokens.get(bearer);
    const seconds = this.#simulator.faults.standing('expire-tokens')?.seconds ?? this.#settings.tokenSeconds;
    if (since === undefined || this.#simulator.clock.now() >= since + seconds * 1000)
      throw new Refusal(401, {
        error_description: 'The access token is invalid or has expired',
        error: 'invalid_token',
      });
    const country = header(request, 'x-country') ?? '';
    if (country === '')
      throw new Refusal(400, { status_message: 'Partner simulated not found', status_code: 'ROUTER110' });
    if (country !== COUNTRY) throw refusal('Invalid Country Code', { response: 'DP00900001013' }, 400);
    if (header(request, 'x-currency') !== CURRENCY)
      throw refusal('Invalid/Missing Currency', { response: 'DP00900001013', result: 'ROUTER119' });
  }

  /** Checks a body's signature, if present or required. */
  checkSignature(request: FastifyRequest, body: string, kind: 'transfer' | 'request'): void {
    const signature = header(request, 'x-signature');
    const wrappedKey = header(request, 'x-key');
    if (signature === undefined && wrappedKey === undefined && !this.#settings.needsSignature) return;
    const code = outcomes[kind].signature;
    if (!this.#isSigned(signature ?? '', wrappedKey ?? '', body))
      throw refusal(texts[code] ?? '', { response: code }, 403);
  }

  /** Checks that the PIN is the merchant's and encrypted with the published key. */
  checkPin(encrypted: string | undefined): void {
    if (encrypted === undefined || encrypted === '')
      throw refusal('Missing header/body params', { response: 'DP00900001013', result: 'ROUTER003' });
    const opened = this.#opened(encrypted);
    if (opened.includes(this.#settings.pin)) return;
    const isSomePin = opened.some((text) => /^\d{4}$/.test(text));
    throw isSomePin
      ? refusal('Incorrect Pin', { response: 'DP00900001013', result: 'ROUTER115' })
      : refusal('Incorrect Encrypted Pin', { response: 'DP00900001013', result: 'ROUTER116' });
  }

  /** `x-signature` is the body encrypted with AES-256-CBC; `x-key` is its 'key:iv' encrypted with RSA. */
  #isSigned(signature: string, wrappedKey: string, body: string): boolean {
    return this.#opened(wrappedKey).some((text) => {
      const [key = '', iv = ''] = text.split(':').map((part) => Buffer.from(part, 'base64'));
      try {
        const decipher = createDecipheriv('aes-256-cbc', key, iv);
        const signed = Buffer.concat([decipher.update(signature, 'base64'), decipher.final()]).toString('utf8');
        return signed === body;
      } catch {
        return false;
      }
    });
  }

  /** Decrypts with every padding in the sources, which disagree. */
  #opened(encrypted: string): readonly string[] {
    const paddings = [
      { padding: constants.RSA_PKCS1_PADDING },
      { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' },
    ];
    return paddings.flatMap((padding) => {
      try {
        return [
          privateDecrypt({ key: this.#privateKey, ...padding }, Buffer.from(encrypted, 'base64')).toString('utf8'),
        ];
      } catch {
        return [];
      }
    });
  }
}

/** The public key in Airtel's form: Base64 of the DER. */
export function publicKeyOf(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
}

/** The hash that authenticates a callback. */
export function hashOf(transaction: unknown, callbackKey: string, over: AirtelSettings['hashOver']): string {
  const text = JSON.stringify(over === 'transaction' ? transaction : { transaction });
  return createHmac('sha256', callbackKey).update(text).digest('base64');
}
