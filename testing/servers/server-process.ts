import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { API_ROOT } from '#contract/endpoint.ts';
import { childEnvironment } from '#testing/child-environment.ts';
import { atFileEnd } from '#testing/file-end.ts';
import { freePort } from '#testing/free-port.ts';
import { callerFrom, type TestCaller, textHeaders } from '#testing/test-app.ts';

/** Servers as processes, as `npm start` runs them, on a test's database; and callers over real sockets. */

/** The secret shared by the servers of a test, as operations.md requires. */
export const SHARED_SECRET = 'a secret that all servers of a test share';

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly port: number;
  readonly address: string;
  /** Everything it has written so far, including the log. */
  output(): string;
  /** Sends the signal and waits until the server has ended; returns its exit code, or null if the signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

interface ServerOptions {
  /** Settings in addition to those that all servers of these tests have. */
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments for Node, placed before the script. */
  readonly nodeArgs?: readonly string[];
  /** The folder with the server's files, if not this checkout. */
  readonly folder?: string | undefined;
  /** The program that Node runs instead of the server, with its arguments. */
  readonly program?: readonly string[] | undefined;
}

/** The DATABASE_URL of a database on the run's cluster, which listens only on a socket. */
export function databaseUrl(name: string): string {
  const { host, port, user } = inject('cluster');
  return `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
}

const running = new Set<ChildProcess>();
/** The file store of each database, for tests that name none: a store marked by another database would be refused. */
const stores = new Map<string, string>();

atFileEnd(async () => {
  await Promise.all([...running].map((child) => stop(child, 'SIGKILL')));
  for (const folder of stores.values()) await rm(folder, { recursive: true, force: true });
  stores.clear();
});

async function storeOf(name: string): Promise<string> {
  const folder = stores.get(name) ?? (await mkdtemp(join(tmpdir(), 'kasente-proof-store-')));
  stores.set(name, folder);
  return folder;
}

/**
 * Starts a server on that database and waits until it serves. If it still runs after the file's tests, it is killed.
 */
export async function startServerProcess(
  database: { readonly name: string },
  { env = {}, nodeArgs = [], folder, program = ['server/main.mjs'] }: ServerOptions = {},
): Promise<ServerProcess> {
  const port = Number(env.PORT ?? (await freePort()));
  const child = spawn(process.execPath, [...nodeArgs, ...program], {
    env: childEnvironment({
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl(database.name),
      DATA_DIR: await storeOf(database.name),
      SECRET_KEY: SHARED_SECRET,
      LOG_LEVEL: 'warn',
      INVOICE_MAXIMUM_AGE_DAYS: '3650', // proofs send fixed dates
      OVERDUE_BLOCKS_AFTER_DAYS: '3650', // for clients, some of whom are late
      MINIMUM_ADVANCE: 'UGX:1', // and advances so small that a limit allows thousands
      PORT: String(port),
      ...env,
    }),
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const output = await serving(child);
  return {
    child,
    port,
    address: `http://127.0.0.1:${port}`,
    output,
    stop: (signal = 'SIGTERM') => stop(child, signal),
  };
}

/** Waits for the line with its address. */
function serving(child: ChildProcess): Promise<() => string> {
  let written = '';
  return new Promise((resolve, reject) => {
    const collect = (chunk: Buffer): void => {
      written += chunk.toString();
      if (written.includes('Kasente runs at')) resolve(() => written);
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${written}`)));
  });
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
  return child.exitCode;
}

/** A caller's cookies, as a header. */
export function cookieHeader({ cookies }: Pick<TestCaller, 'cookies'>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** A caller that keeps its cookies and calls whichever address is next. */
export function remoteCaller(addressInTurn: () => string): TestCaller {
  const cookies = new Map<string, string>();
  const call: TestCaller['call'] = async ({ method = 'GET', url, payload, headers }) => {
    const response = await fetch(`${addressInTurn()}${API_ROOT}${url}`, {
      method,
      headers: {
        'x-requested-with': 'fetch',
        cookie: cookieHeader({ cookies }),
        ...textHeaders(headers),
      },
      ...(typeof payload === 'string' || Buffer.isBuffer(payload)
        ? { body: new Uint8Array(Buffer.from(payload)) }
        : {}),
    });
    for (const cookie of response.headers.getSetCookie()) keep(cookies, cookie);
    const raw = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && raw.length > 0;
    return {
      status: response.status,
      body: isJson ? JSON.parse(raw.toString()) : raw.toString(),
      raw,
      headers: { ...Object.fromEntries(response.headers), 'set-cookie': response.headers.getSetCookie() },
    };
  };
  return callerFrom(cookies, call);
}

function keep(cookies: Map<string, string>, setCookie: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
  if (value === '') cookies.delete(name);
  else cookies.set(name, value);
}
