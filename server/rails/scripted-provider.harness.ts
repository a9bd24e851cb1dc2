import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';
import type { Answer, Order } from '#server/rail-port/rail.ts';
import { Gathering } from '#testing/gathering.ts';

export interface ProviderCall {
  readonly method: string | undefined;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The reply to a call: 'cut' breaks the connection, 'silent' sends nothing, 'endless' never stops. */
export type Script =
  | { readonly status: number; readonly json?: unknown; readonly text?: string; readonly location?: string }
  | 'cut'
  | 'silent'
  | 'endless';

const CHUNK = 'x'.repeat(16 * 1024);

/** A server that replies as a test scripts it. Calls for tokens are answered and counted separately. */
export class ScriptedProvider {
  /** Every call except those for a token. */
  readonly calls = new Gathering<ProviderCall>();
  readonly tokenCalls = new Gathering<ProviderCall>();
  answer: (call: ProviderCall) => Script = () => ({ status: 200, json: {} });
  token: (call: ProviderCall) => Script | Promise<Script> = () => this.freshToken();
  readonly #server: Server;
  readonly #tokenPath: RegExp;
  #tokens = 0;

  constructor(tokenPath: RegExp) {
    this.#tokenPath = tokenPath;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** Returns another token at each call. */
  freshToken(expiresIn: string | number = 3600): Script {
    this.#tokens += 1;
    return { status: 200, json: { access_token: `token-number-${this.#tokens}`, expires_in: expiresIn } };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url: path = '', headers } = request;
    const call = { method, path, headers, body: await text(request) };
    const isToken = this.#tokenPath.test(path);
    (isToken ? this.tokenCalls : this.calls).add(call);
    play(isToken ? await this.token(call) : this.answer(call), response);
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}

function play(script: Script, response: ServerResponse): void {
  if (script === 'silent') return;
  if (script === 'cut') {
    response.socket?.destroy();
    return;
  }
  if (script === 'endless') {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = (): void => {
      while (!response.destroyed && response.write(CHUNK));
    };
    response.on('drain', more);
    more();
    return;
  }
  const { status, json, text: plain, location } = script;
  const body = plain ?? (json === undefined ? '' : JSON.stringify(json));
  response.writeHead(status, { 'content-type': 'application/json', ...(location === undefined ? {} : { location }) });
  response.end(body);
}

/** An order of UGX 149,500. */
export const order: Order = {
  reference: '0d9a7c1e-5c0e-4f0e-9a57-3f1f6f1f2a11',
  amount: 14_950_000,
  currency: 'UGX',
  number: '0772123456',
  label: 'K7PX-42MR',
};

/**
 * An answer's state, with its refusal or the provider's number, for tables in tests; 'silent' if there was no answer.
 */
export function short(answer: Answer): string {
  if (answer.state === 'failed') return `failed ${answer.refusal}`;
  if (answer.state === 'unknown') return answer.isSilent === true ? 'silent' : 'unknown';
  return answer.state === 'succeeded' ? `succeeded ${answer.providerReference}` : answer.state;
}

/** A signal that is never aborted. */
export function forEver(): AbortSignal {
  return new AbortController().signal;
}
