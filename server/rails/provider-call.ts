import { parseJson, readBounded } from '#server/machine/bounded-body.ts';

/** One HTTP call to a provider. Network failures are replies too: nothing here throws. */

/** No provider sends a longer body. */
const LONGEST_BODY_BYTES = 64 * 1024;

export interface ProviderRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** `json` is undefined if the body is not JSON. `why` contains no address, and nothing that was sent. */
export type Reply =
  | { readonly answered: true; readonly status: number; readonly json: unknown }
  | { readonly answered: false; readonly why: string };

/**
 * Sends a request and reads the whole answer. Does not follow redirects, which would carry the token to another host.
 */
export async function exchange(request: ProviderRequest, signal: AbortSignal): Promise<Reply> {
  try {
    const { method, url, headers, body = null } = request;
    const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' });
    const text = response.body === null ? '' : await readBounded(response.body, LONGEST_BODY_BYTES);
    if (text === undefined) return { answered: false, why: 'an answer without an end' };
    return { answered: true, status: response.status, json: parseJson(text) };
  } catch (error) {
    return { answered: false, why: silence(error) };
  }
}

/**
 * Whether a reply is not the provider's own answer: it came from an intermediary, there was none, or it refuses the
 * login.
 */
export function isSilent(reply: Reply): boolean {
  if (!reply.answered || reply.json === undefined) return true;
  const { status } = reply;
  return status >= 500 || (status >= 300 && status < 400) || [401, 403, 429].includes(status);
}

/** Why there is no answer, by the error's name and code only, because its message may quote a header. */
export function silence(error: unknown): string {
  const { name, cause } = error instanceof Error ? error : { name: '', cause: undefined };
  if (name === 'AbortError' || name === 'TimeoutError') return 'no answer in time';
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? `no answer (${code})` : 'no answer';
}
