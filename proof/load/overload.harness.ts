import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type PlantedFault, programWith } from '#proof/planted/planted.ts';
import { buildClient, type Client, invoiceForm, saveInvoice } from '#server/invoices/invoices.harness.ts';
import { createPasswords } from '#server/secrets/passwords.ts';
import { freePort } from '#testing/free-port.ts';
import { residentBytes } from '#testing/memory-watch.ts';
import { cookieHeader, remoteCaller, type ServerProcess, startServerProcess } from '#testing/servers/server-process.ts';
import { createTestApp, type TestApp } from '#testing/test-app.ts';
import {
  atRate,
  byStatus,
  CONNECTIONS,
  inTurns,
  LoadClient,
  type Outcome,
  type PreparedRequest,
  percentile,
  prepare,
  roundRobin,
} from './load.harness.ts';

/** Shared by the load proofs: a busy server, a flood of requests, and the rules for its replies. */

/** Headers of a signed-in caller's calls. */
export function cookiesOf({ caller }: Pick<Client, 'caller'>): Record<string, string> {
  return { 'x-requested-with': 'fetch', cookie: cookieHeader(caller) };
}

/** The calls that people at work make. */
export const calls = {
  session: (client) => prepare('session', 'GET /api/v1/users/session', cookiesOf(client)),
  list: (client) => {
    const body = { page: 1, businessTag: client.business.tag };
    return prepare('list', 'POST /api/v1/invoices/paged', cookiesOf(client), body);
  },
  dashboard: (client) => prepare('dashboard', 'GET /api/v1/figures/own', cookiesOf(client)),
  save: (client) => {
    const body = { userTag: client.person.tag, invoice: invoiceForm(client) };
    return prepare('save', 'POST /api/v1/invoices', cookiesOf(client), body);
  },
} as const satisfies Record<string, (client: Client) => PreparedRequest>;

/** Four clients at a server, each with more than a page of invoices. */
export async function buildPeople(app: TestApp, { address }: ServerProcess): Promise<readonly Client[]> {
  const site = { ...app, visitor: () => remoteCaller(() => address) };
  const clients = await Promise.all(Array.from({ length: 4 }, () => buildClient(site)));
  for (const client of clients) for (let nth = 0; nth < 12; nth += 1) await saveInvoice(client);
  return clients;
}

/** The faults of replies: each must come in time, and be a success or a 503 with Retry-After. */
export function faultsOf(outcomes: readonly Outcome[], withinMs: number): string[] {
  return outcomes.flatMap(({ kind, status, ms, retryAfter }) => {
    if (status === 'hung' || status === 'cut') return [`${kind}: ${status}`];
    if (status === 503 && !(Number(retryAfter) > 0)) return [`${kind}: 503 without Retry-After`];
    if (status !== 200 && status !== 503) return [`${kind}: ${status}`];
    return ms > withinMs ? [`${kind}: ${status} after more than ${withinMs} ms`] : [];
  });
}

const PEOPLE = 16;
const MEASURED_S = 5;
const FLOOD_S = 15;
/** People give up after this long without a reply. */
const IN_TIME_MS = 5_000;
const HUNG_AFTER_MS = 30_000;
const RECOVERY_STEP_S = 0.5;
const MOST_TRIES = 3;
/** The smallest share of its earlier capacity that an undisturbed server reaches after a flood. */
const UNDISTURBED = 0.8;

/**
 * Measures a server's capacity, sends ten times that, and watches the recovery. If its capacity is much lower right
 * afterwards, other programs were using the machine and the flood exceeded ten times the capacity: that round is
 * repeated, a few times.
 */
export async function flood(planted?: PlantedFault) {
  const { server, next } = await busyServer(planted);
  const load = new LoadClient(server.port, HUNG_AFTER_MS);
  onTestFinished(() => load.close());
  await inTurns(load, PEOPLE, 2, next); // warm
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const { carriedAfter, ...found } = await floodOnce(server, load, next);
    if (planted !== undefined || carriedAfter >= found.carried * UNDISTURBED) return found;
  }
  throw new Error(
    `other programs use this machine: ${MOST_TRIES} times it carried less than ${UNDISTURBED} of before right after`,
  );
}

async function floodOnce(server: ServerProcess, load: LoadClient, next: () => PreparedRequest) {
  const before = await inTurns(load, PEOPLE, MEASURED_S, next);
  const carried = before.length / MEASURED_S;
  const p99Ms = percentile(before, 99);
  const memoryMb = await residentMb(server);
  // A proxy's connections are open already. Node accepts one per turn of its loop, so in a flood the last would wait
  // for seconds.
  await Promise.all(Array.from({ length: CONNECTIONS }, () => load.send(next())));
  const health = asking(server.address, '/livez');
  const page = asking(server.address, '/login');
  const all = await atRate(load, carried * 10, FLOOD_S, next);
  const recoveredMs = await recovery(load, p99Ms, next);
  const [slowestHealthMs, slowestPageMs] = [await health(), await page()];
  const grownMb = (await residentMb(server)) - memoryMb;
  const after = await inTurns(load, PEOPLE, MEASURED_S, next);
  return {
    carried: Math.round(carried),
    carriedAfter: after.length / MEASURED_S,
    p99Ms,
    sent: all.length,
    answers: Object.entries(byStatus(all))
      .map(([status, count]) => `${count} × ${status}`)
      .join(', '),
    faults: faultsOf(all, IN_TIME_MS),
    slowestMs: percentile(all, 100),
    slowestHealthMs,
    slowestPageMs,
    grownMb: Math.round(grownMb),
    recoveredMs,
  };
}

/** A server as in production, and calls of four clients at work. */
export async function busyServer(planted?: PlantedFault, env: Readonly<Record<string, string>> = {}) {
  const app = await createTestApp({}, { passwords: await createPasswords() });
  onTestFinished(() => app.close());
  const port = String(await freePort());
  const server = await startServerProcess(app.database, {
    program: programWith(planted),
    env: {
      PORT: port,
      NODE_ENV: 'production',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      LOG_LEVEL: 'info',
      DATA_DIR: app.platform.config.dataDir,
      ...env,
    },
  });
  // A planted server without limits would still be busy during the next measurement.
  onTestFinished(async () => void (await server.stop('SIGKILL')));
  const nextCall = roundRobin(
    (await buildPeople(app, server)).flatMap((client) => {
      const [session, list] = [calls.session(client), calls.list(client)];
      return [() => session, () => calls.save(client), () => session, () => list];
    }),
  );
  return { app, server, next: () => nextCall()() };
}

/** The milliseconds until all people are answered, about as fast as before. */
async function recovery(load: LoadClient, p99Ms: number, next: () => PreparedRequest): Promise<number> {
  const began = performance.now();
  for (;;) {
    const outcomes = await inTurns(load, PEOPLE, RECOVERY_STEP_S, next);
    const since = Math.round(performance.now() - began);
    const answered = outcomes.every(({ status }) => status === 200);
    if ((answered && percentile(outcomes, 90) <= 2 * p99Ms) || since > HUNG_AFTER_MS) return since;
  }
}

async function residentMb({ child }: ServerProcess): Promise<number> {
  return (await residentBytes([child.pid ?? 0])) / 2 ** 20;
}

/** Without a pause, the polling itself would be load. */
const ASK_PAUSE_MS = 10;

/**
 * Polls a path until stopped; then returns the slowest reply's milliseconds, including the pause before it, so that no
 * gap escapes.
 */
export function asking(address: string, path: string): () => Promise<number> {
  let slowest = 0;
  let asks = true;
  const done = (async () => {
    while (asks) {
      const began = performance.now();
      await wait(ASK_PAUSE_MS);
      const response = await fetch(`${address}${path}`);
      await response.arrayBuffer();
      slowest = response.status === 200 ? Math.max(slowest, performance.now() - began) : Number.POSITIVE_INFINITY;
    }
  })();
  return async () => {
    asks = false;
    await done;
    return Math.round(slowest);
  };
}
