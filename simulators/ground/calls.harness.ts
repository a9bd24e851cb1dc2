import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

/** Calls to a simulator over HTTP, and a receiver of callbacks. */

export interface Reply {
  readonly status: number;
  readonly text: string;
  /** The JSON, if any. */
  readonly body: unknown;
}

export interface Call {
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON, texts unchanged. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Calls a simulator; throws if the connection breaks. */
export async function call(method: string, url: string, { headers = {}, body, signal }: Call = {}): Promise<Reply> {
  const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json';
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': type }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined };
}

const book = z.object({
  accounts: z.object({ disbursement: z.number(), collection: z.number() }),
  wallets: z.array(z.object({ msisdn: z.string(), balance: z.number() })),
  transactions: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      msisdn: z.string(),
      state: z.string(),
      reason: z.string().nullable(),
      amount: z.number(),
      financialId: z.string().nullable(),
      plan: z.object({ statement: z.string() }),
    }),
  ),
  calls: z.array(z.object({ id: z.string(), forged: z.string().nullable(), status: z.number().nullable() })),
  sums: z.object({ held: z.number(), funded: z.number() }),
});

/** A simulator's controls. */
export function switchesOf(url: string) {
  const turned = async (method: string, path: string, body: unknown): Promise<Reply> => {
    const reply = await call(method, `${url}/simulator${path}`, { body });
    if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`);
    return reply;
  };
  return {
    faults: (...faults: readonly Record<string, unknown>[]) => turned('PUT', '/faults', faults),
    wallets: (...wallets: readonly Record<string, unknown>[]) => turned('PUT', '/wallets', wallets),
    float: (disbursement: number) => turned('PUT', '/float', { disbursement }),
    hold: () => turned('POST', '/clock', { hold: true }),
    release: () => turned('POST', '/clock', { hold: false }),
    advance: (advanceSeconds: number) => turned('POST', '/clock', { advanceSeconds }),
    settle: (id: string, body: Record<string, unknown> = {}) => turned('POST', `/transactions/${id}/settle`, body),
    book: async () => book.parse((await call('GET', `${url}/simulator/book`)).body),
    statement: async (query = '') => (await call('GET', `${url}/simulator/statement.csv${query}`)).text,
  };
}

export interface Arrived {
  readonly method: string | undefined;
  readonly host: string | undefined;
  readonly body: unknown;
}

/** A local server that receives callbacks; `until` waits for that many. */
export async function startCaller() {
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      arrived.push({ method: request.method, host: request.headers.host, body });
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://localhost:${address.port}/callback`,
    arrived,
    until: async (count: number): Promise<readonly Arrived[]> => {
      while (arrived.length < count) await pause(5);
      return arrived;
    },
    stop: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
