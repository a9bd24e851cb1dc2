import { mkdir, rm } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { API_ROOT } from '#contract/endpoint.ts';
import { createApp } from '#server/app.ts';
import { INBOX } from '#server/files/inbox.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { TestDatabase } from './test-database.ts';
import { createTestPlatform, type HeldClock, resetClock } from './test-platform.ts';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read replies of every shape.
  readonly body: any;
  /** The raw reply, for content other than JSON. */
  readonly raw: Buffer;
  readonly headers: Record<string, string | string[] | number | undefined>;
}

/** The code of a refusal; '200' for a success. */
export function codeOf({ status, body }: Answer): string {
  return status === 200 ? '200' : body.code;
}

/** A caller that keeps its cookies, as a browser does. */
export interface TestCaller {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  call(options: InjectOptions & { readonly url: string }): Promise<Answer>;
  readonly cookies: Map<string, string>;
}

/** The whole server with its own database, driven over HTTP by `inject`. */
export interface TestApp {
  readonly server: FastifyInstance;
  readonly platform: Platform;
  readonly clock: HeldClock;
  readonly database: TestDatabase;
  /** A caller without a session. */
  visitor(): TestCaller;
  close(): Promise<void>;
}

/**
 * Starts a {@link TestApp}. Settings are environment variables, as in production; parts of the platform can be
 * replaced.
 */
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

type Given = Parameters<typeof createTestApp>;

/** A server for all tests of a file, available from its first hook on and closed after its last. */
export function appOfFile(...given: Given): TestApp {
  let held: TestApp | undefined;
  const now = (): TestApp => {
    if (held === undefined) throw new Error('the server is there once the tests begin');
    return held;
  };
  beforeAll(async () => {
    held = await createTestApp(...given);
  });
  afterAll(async () => {
    await held?.close();
    held = undefined;
  });
  return {
    get server() {
      return now().server;
    },
    get platform() {
      return now().platform;
    },
    get clock() {
      return now().clock;
    },
    get database() {
      return now().database;
    },
    visitor: () => now().visitor(),
    close: () => now().close(),
  };
}

/**
 * Like {@link appOfFile}, without the rows, documents and time left by earlier tests; that takes a tenth of the time of
 * starting another server.
 */
export function appOfTest(...given: Given): TestApp {
  const app = appOfFile(...given);
  beforeEach(async () => {
    resetClock(app.clock);
    await app.database.empty();
    const documents = join(app.platform.config.dataDir, 'documents');
    await rm(documents, { recursive: true, force: true });
    await mkdir(join(documents, INBOX), { recursive: true });
  });
  return app;
}

/** A browser's headers for a same-origin fetch, plus the call's own; '' removes one. */
function headersOf({ headers }: InjectOptions): Record<string, string> {
  return textHeaders({
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'cors',
    'sec-fetch-dest': 'empty',
    ...headers,
  });
}

/** Headers as text, without those that are ''. */
export function textHeaders(headers: OutgoingHttpHeaders = {}): Record<string, string> {
  const sent = Object.entries(headers).filter(([, value]) => value !== undefined && value !== '');
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
  return callerFrom(cookies, call);
}

/** A caller that sends its calls through `call`. */
export function callerFrom(cookies: TestCaller['cookies'], call: TestCaller['call']): TestCaller {
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
