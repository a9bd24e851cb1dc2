import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type PlantedFault, programWith } from '#proof/planted/planted.ts';
import { buildClient, type Client, invoiceForm, saveInvoice } from '#server/invoices/invoices.harness.ts';
import { createPasswords } from '#server/secrets/passwords.ts';
import { freePort } from '#server/testing/free-port.ts';
import { remoteCaller, type ServerProcess, startServerProcess } from '#server/testing/servers/server-process.ts';
import { createTestApp } from '#server/testing/test-app.ts';
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
} from './load.harness.ts';

/** What tests of overload share: the planted fault, the flood, and what may be said of its answers. */

/** Headers of a signed-in caller's calls. */
export function cookiesOf({ caller }: Pick<Client, 'caller'>): Record<string, string> {
  const cookie = [...caller.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { 'x-requested-with': 'fetch', cookie };
}

/** Everybody is answered, or told in words to come again, and in time: whatever is otherwise. */
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
/** After this long without an answer people take it for broken. */
const IN_TIME_MS = 5_000;
const HUNG_AFTER_MS = 30_000;
const RECOVERY_STEP_S = 0.5;
const MOST_TRIES = 3;
/** Of what was carried before: a machine that others leave alone gives as much again. */
const STILL = 0.8;

/**
 * Measures what a server carries, sends it ten times that, and watches it recover. Where it carries much less right after, the machine
 * was taken by other programs meanwhile, and it was sent more than ten times what it could: that is done again. Throws where it never keeps still.
 */
export async function flood(planted?: PlantedFault) {
  const { server, next } = await busyServer(planted);
  const load = new LoadClient(server.port, HUNG_AFTER_MS);
  onTestFinished(() => load.close());
  await inTurns(load, PEOPLE, 2, next); // warm
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const { carriedAfter, ...found } = await floodOnce(server, load, next);
    if (planted !== undefined || carriedAfter >= found.carried * STILL) return found;
  }
  throw new Error(
    `other programs use this machine: ${MOST_TRIES} times it carried less than ${STILL} of before right after`,
  );
}

async function floodOnce(server: ServerProcess, load: LoadClient, next: () => PreparedRequest) {
  const before = await inTurns(load, PEOPLE, MEASURED_S, next);
  const carried = before.length / MEASURED_S;
  const p99Ms = percentile(before, 99);
  const memoryMb = residentMb(server);
  // A proxy has its connections already. Node accepts one in a turn of its loop: in a flood the last would wait for seconds.
  await Promise.all(Array.from({ length: CONNECTIONS }, () => load.send(next())));
  const health = asking(server.address, '/livez');
  const page = asking(server.address, '/login');
  const all = await atRate(load, carried * 10, FLOOD_S, next);
  const recoveredMs = await recovery(load, p99Ms, next);
  const [slowestHealthMs, slowestPageMs, grownMb] = [await health(), await page(), residentMb(server) - memoryMb];
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

/** A server as in production, and the calls of four clients at work. */
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
  // One that takes whatever comes would still be at it while the next is measured.
  onTestFinished(async () => void (await server.stop('SIGKILL')));
  const site = { ...app, visitor: () => remoteCaller(() => server.address) };
  const clients = await Promise.all(Array.from({ length: 4 }, () => buildClient(site)));
  for (const client of clients) for (let nth = 0; nth < 12; nth += 1) await saveInvoice(client);
  const calls = clients.flatMap((client) => {
    const headers = cookiesOf(client);
    const session = prepare('session', 'GET /api/v1/users/session', headers);
    const list = prepare('list', 'POST /api/v1/invoices/paged', headers, { page: 1, businessTag: client.business.tag });
    const save = () =>
      prepare('save', 'POST /api/v1/invoices', headers, { userTag: client.person.tag, invoice: invoiceForm(client) });
    return [() => session, save, () => session, () => list];
  });
  let turn = 0;
  const next = (): PreparedRequest => {
    turn += 1;
    const call = calls[turn % calls.length];
    if (call === undefined) throw new Error('nothing to call');
    return call();
  };
  return { app, server, next };
}

/** How long it takes until people in turns are all answered, and about as fast as before. */
async function recovery(load: LoadClient, p99Ms: number, next: () => PreparedRequest): Promise<number> {
  const began = performance.now();
  for (;;) {
    const outcomes = await inTurns(load, PEOPLE, RECOVERY_STEP_S, next);
    const since = Math.round(performance.now() - began);
    const answered = outcomes.every(({ status }) => status === 200);
    if ((answered && percentile(outcomes, 90) <= 2 * p99Ms) || since > HUNG_AFTER_MS) return since;
  }
}

function residentMb({ child }: ServerProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Between two asks: without it the asking would be a load of its own. */
const ASK_PAUSE_MS = 10;

/** Asks a path over and over until told to stop; answers how long the slowest took, in milliseconds, the pause before it too: nothing falls between. */
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
