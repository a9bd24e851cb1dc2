import { z } from 'zod';
import { exchange, type ProviderRequest, type Reply, silence } from './provider-call.ts';

/** Renews a token this long before it expires, so that none expires during a call. */
const RENEW_BEFORE_MS = 30_000;
/** A token is fetched for all callers, so one caller's timeout does not cancel it. */
const TOKEN_WITHIN_MS = 15_000;
const LONGEST_WORDS = 200;

/** As in RFC 6749, but Airtel sends the seconds as text. */
const tokenSchema = z.object({
  access_token: z.string().min(1).max(8192),
  expires_in: z.coerce.number().positive(),
});

/** Prepares a provider's words for storing. */
export type Words = (...parts: readonly (string | number | undefined)[]) => string;

interface Token {
  readonly value: string;
  readonly until: number;
}

interface SessionGround {
  readonly now: () => Date;
  readonly tokenRequest: ProviderRequest;
  /** The texts that stored words must not contain. */
  readonly secrets: readonly string[];
}

/**
 * Calls a provider with a token. The token is kept until shortly before it expires, fetched once for all callers, and
 * renewed once after a 401.
 */
export class ProviderSession {
  readonly #ground: SessionGround;
  #token: Token | undefined;
  #fetching: Promise<Token | Reply> | undefined;
  /** Tokens that an answer may quote: the current one and the one before. */
  #given: readonly string[] = [];

  constructor(ground: SessionGround) {
    this.#ground = ground;
  }

  /** Sends the request with a token. If no token can be had, sends nothing and returns a reply that says so. */
  async call(request: ProviderRequest, signal: AbortSignal): Promise<Reply> {
    const token = await this.#currentToken(signal);
    if (!isToken(token)) return token;
    const reply = await exchange(withToken(request, token), signal);
    if (!reply.answered || reply.status !== 401) return reply;
    if (this.#token === token) this.#token = undefined;
    const renewed = await this.#currentToken(signal);
    return isToken(renewed) ? exchange(withToken(request, renewed), signal) : reply;
  }

  /** The provider's words for storing: one line, short, without our secrets. */
  readonly words: Words = (...parts) => {
    const text = parts.filter((part) => part !== undefined && part !== '').join(' ');
    const hidden = [...this.#ground.secrets, ...this.#given].reduce(withoutSecret, text);
    const line = hidden.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
    return Array.from(line).slice(0, LONGEST_WORDS).join('');
  };

  async #currentToken(signal: AbortSignal): Promise<Token | Reply> {
    if (this.#token !== undefined && this.#token.until > this.#ground.now().getTime()) return this.#token;
    this.#fetching ??= this.#fetchToken().finally(() => {
      this.#fetching = undefined;
    });
    return untilAborted(this.#fetching, signal).catch((error) => ({ answered: false, why: silence(error) }));
  }

  async #fetchToken(): Promise<Token | Reply> {
    const asked = this.#ground.now().getTime();
    const reply = await exchange(this.#ground.tokenRequest, AbortSignal.timeout(TOKEN_WITHIN_MS));
    if (!reply.answered) return { answered: false, why: `no token: ${reply.why}` };
    const parsed = tokenSchema.safeParse(reply.json);
    if (reply.status !== 200 || !parsed.success) return { answered: false, why: `no token: answered ${reply.status}` };
    const { access_token: value, expires_in: seconds } = parsed.data;
    this.#given = [value, ...this.#given.slice(0, 1)];
    this.#token = { value, until: asked + seconds * 1000 - RENEW_BEFORE_MS };
    return this.#token;
  }
}

/**
 * Removes a secret in any letter case, because codes are stored in capitals. A PIN is removed only where it stands
 * alone: its digits occur in many numbers.
 */
function withoutSecret(text: string, secret: string): string {
  const isNumber = /^\d+$/.test(secret);
  const pattern = isNumber ? `(?<!\\d)${secret}(?!\\d)` : secret.replaceAll(/[^A-Za-z0-9]/g, '\\$&');
  return text.replaceAll(new RegExp(pattern, 'gi'), '•••');
}

function isToken(token: Token | Reply): token is Token {
  return 'value' in token;
}

function withToken(request: ProviderRequest, { value }: Token): ProviderRequest {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${value}` } };
}

/** The promise's value; rejects if the signal is aborted first. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort));
}
