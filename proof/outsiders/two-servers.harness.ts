import type { FastifyInstance } from 'fastify';
import { inject, onTestFinished } from 'vitest';
import { API_ROOT } from '#contract/endpoint.ts';
import { createApp } from '#server/app.ts';
import { openDatabase } from '#server/db/database.ts';
import type { Platform } from '#server/platform/platform.ts';
import { createTestApp, type TestApp } from '#testing/test-app.ts';

/** Two servers on one database with one held clock, driven by `inject` from any number of addresses. */

/** The answer to a call. */
export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read replies of every shape.
  readonly body: any;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The cookies that it set, by name; a removed one is ''. */
  readonly cookies: Readonly<Record<string, string>>;
}

type Cookies = Readonly<Record<string, string>>;

export interface Call {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly cookies?: Cookies;
  /** A new one by default. */
  readonly address?: string;
  /** The two servers in turn by default. */
  readonly server?: FastifyInstance;
}

export interface TwoServers {
  /** The first server, for builders and queries. */
  readonly app: TestApp;
  readonly servers: readonly [FastifyInstance, FastifyInstance];
  call(given: Call): Promise<Answered>;
  post(path: string, body?: unknown, cookies?: Cookies): Promise<Answered>;
}

/** Starts {@link TwoServers} until the test ends; parts of their platform can be replaced. */
export async function startTwoServers(
  env: Record<string, string> = {},
  watched: Partial<Platform> = {},
): Promise<TwoServers> {
  const app = await createTestApp({ TRUST_PROXY: 'true', ...env }, watched);
  const other = openDatabase({ ...inject('cluster'), database: app.database.name }, () => undefined);
  const servers = [app.server, await createApp({ ...app.platform, db: other.db, pool: other.pool })] as const;
  onTestFinished(async () => {
    await servers[1].close();
    await other.close();
    await app.close();
  });
  let calls = 0;
  const call = (given: Call): Promise<Answered> => {
    calls += 1;
    return ask(given.server ?? (calls % 2 === 0 ? servers[1] : servers[0]), { address: addressOf(calls), ...given });
  };
  return {
    app,
    servers,
    call,
    post: (path, body, cookies) =>
      call({ path, ...(body === undefined ? {} : { body }), ...(cookies === undefined ? {} : { cookies }) }),
  };
}

async function ask(
  server: FastifyInstance,
  { method = 'POST', path, body, cookies = {}, address = '' }: Call,
): Promise<Answered> {
  const response = await server.inject({
    method,
    url: `${API_ROOT}${path}`,
    cookies: { ...cookies },
    headers: {
      'x-forwarded-for': address,
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'cors',
      'sec-fetch-dest': 'empty',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  const { statusCode: status, headers } = response;
  return {
    status,
    body: response.body === '' ? undefined : response.json(),
    headers,
    cookies: Object.fromEntries(response.cookies.map(({ name, value }) => [name, value])),
  };
}

/** The numbers from 0 to `count` - 1, in bursts of this size. */
export function burstsOf(count: number, size: number): number[][] {
  const bursts = Array.from({ length: Math.ceil(count / size) }, (_, burst) => burst * size);
  return bursts.map((first) => Array.from({ length: Math.min(size, count - first) }, (_, index) => first + index));
}

/** A different IPv4 address for each of the first 16 million numbers. */
export function addressOf(index: number): string {
  return `10.${(index >> 16) % 256}.${(index >> 8) % 256}.${index % 256}`;
}
