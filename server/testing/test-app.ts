import type { FastifyInstance, InjectOptions } from 'fastify';
import { API_ROOT } from '#contract/endpoint.ts';
import { createApp } from '#server/app.ts';
import type { Platform } from '#server/platform.ts';
import type { TestDatabase } from './test-database.ts';
import { createTestPlatform, type HeldClock } from './test-platform.ts';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
  /** The answer as it came, for what is not JSON. */
  readonly raw: Buffer;
  readonly headers: Record<string, string | string[] | number | undefined>;
}

/** A caller that keeps its cookies, as a browser does. */
export interface TestCaller {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  call(options: InjectOptions & { readonly url: string }): Promise<Answer>;
  readonly cookies: Map<string, string>;
}

/** The whole server on a database of its own, driven over HTTP by `inject`. */
export interface TestApp {
  readonly server: FastifyInstance;
  readonly platform: Platform;
  readonly clock: HeldClock;
  readonly database: TestDatabase;
  /** A caller without a session. */
  visitor(): TestCaller;
  close(): Promise<void>;
}

/** Starts a {@link TestApp}. Settings are environment variables, as in life; parts of the platform may be watched. */
export async function createTestApp(env: Record<string, string> = {}, given: Partial<Platform> = {}): Promise<TestApp> {
  const base = await createTestPlatform(env);
  const platform = { ...base.platform, ...given };
  const server = await createApp(platform);
  return {
    ...base,
    platform,
    server,
    visitor: () => createCaller(server),
    close: async () => {
      await server.close();
      await base.close();
    },
  };
}

/** A browser's own headers of a same-origin fetch, and those of the call; one that is '' is left out. */
function headersOf({ headers }: InjectOptions): Record<string, string> {
  const fetched = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
  const sent = Object.entries({ ...fetched, ...headers }).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(sent.map(([name, value]) => [name, String(value)]));
}

function createCaller(server: FastifyInstance): TestCaller {
  const cookies = new Map<string, string>();
  const call: TestCaller['call'] = async (options) => {
    const response = await server.inject({
      ...options,
      url: `${API_ROOT}${options.url}`,
      cookies: Object.fromEntries(cookies),
      headers: headersOf(options),
    });
    for (const cookie of response.cookies) {
      if (cookie.value === '') cookies.delete(cookie.name);
      else cookies.set(cookie.name, cookie.value);
    }
    const isJson = String(response.headers['content-type']).startsWith('application/json') && response.body !== '';
    const { statusCode: status, body, headers, rawPayload: raw } = response;
    return { status, body: isJson ? response.json() : body, raw, headers };
  };
  return {
    cookies,
    call,
    get: (url, headers) => call({ method: 'GET', url, ...(headers ? { headers } : {}) }),
    post: (url, body, headers) =>
      call({
        method: 'POST',
        url,
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      }),
  };
}
