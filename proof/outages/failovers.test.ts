import { describe, expect, test } from 'vitest';
import { canaryFound, full, proved } from '#testing/evidence/record.ts';
import type { ServerProcess } from '#testing/servers/server-process.ts';
import { Clients } from './clients.harness.ts';
import { compare, expectAllStored, expectNewStored, Ledger } from './ledger.harness.ts';
import { type Loss, PatroniCluster } from './patroni.harness.ts';
import { type Place, proofFolder, seed, startAt, withPlatform } from './place.harness.ts';

/**
 * The primary of Patroni's three machines is switched or lost under load, while the server keeps running. Not part of
 * `npm test`: it needs Debian's packages, and Patroni takes half a minute to replace a lost primary.
 */

const EACH = 20;
/** At every n-th loss the primary falls silent instead of being killed. */
const SILENT_EVERY = 4;
const WORKERS = 6;
const WRITES = 100;
const BACK_WITHIN_MS = 60_000;
const HOURS = 10 * 3_600_000;

interface Run {
  readonly cluster: PatroniCluster;
  readonly place: Place;
  readonly ledger: Ledger;
  readonly clients: Clients;
}

/**
 * Waits for a complete cluster under load, runs the step, and returns how long it took until every worker was answered.
 */
async function answeredAfter({ cluster, place, ledger, clients }: Run, name: string, step: () => Promise<void>) {
  await cluster.whole();
  await clients.acknowledgements(WRITES);
  const began = performance.now();
  await step();
  await clients.acknowledgements(WORKERS);
  const backMs = performance.now() - began;
  expect(backMs, name).toBeLessThan(BACK_WITHIN_MS);
  await withPlatform(place, (platform) => expectNewStored(platform, ledger));
  return backMs;
}

describe.runIf(full)('PostgreSQL behind Patroni and HAProxy', () => {
  test('loses nothing that was acknowledged', { timeout: HOURS }, async () => {
    const folder = await proofFolder();
    const cluster = await PatroniCluster.start(folder);
    const place = { dataDir: folder, databaseUrl: cluster.url };
    await seed(place);
    const server = await startAt(place);
    const ledger = new Ledger();
    const clients = await Clients.start(ledger, server, WORKERS);
    const run = { cluster, place, ledger, clients };
    const worst = { switched: 0, killed: 0, silent: 0 };
    for (let nth = 1; nth <= EACH; nth += 1) {
      const switched = await answeredAfter(run, `switchover ${nth}`, () => cluster.switchOver());
      worst.switched = Math.max(worst.switched, switched);
      const loss: Loss = nth % SILENT_EVERY === 0 ? 'silent' : 'killed';
      const lost = await answeredAfter(run, `${loss} ${nth}`, () => cluster.losePrimary(loss));
      worst[loss] = Math.max(worst[loss], lost);
    }
    await clients.stop();
    const { faults, worstMs, byStatus } = clients.answered;
    expect(faults).toEqual([]);
    expect(byStatus.get(0) ?? 0).toBe(0);
    expect(server.child.exitCode).toBeNull();
    await withPlatform(place, (platform) => expectAllStored(platform, ledger));
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
    const silent = Math.floor(EACH / SILENT_EVERY);
    proved(
      'failovers',
      `${await cluster.versions()}: ${EACH} switchovers and ${EACH} losses of the primary (${EACH - silent} killed, ` +
        `${silent} silent), ${ledger.acknowledgements} acknowledgements: 0 lost, 0 doubled, 0 torn; ` +
        `${byStatus.get(503) ?? 0} answers 503 with Retry-After, nothing else refused or cut; worst answer ` +
        `${seconds(worstMs)}; back at worst ${seconds(worst.switched)} after a switchover was ordered, ` +
        `${seconds(worst.killed)} after a kill, ${seconds(worst.silent)} after silence`,
    );
    await findTheLoss(run, server);
    expect(await server.stop('SIGTERM')).toBe(0);
  });
});

/** The canary: asynchronous standbys lose commits, and the ledger finds them. */
async function findTheLoss({ cluster, place }: Run, server: ServerProcess): Promise<void> {
  await cluster.whole();
  const ledger = new Ledger();
  const clients = await Clients.start(ledger, server, WORKERS);
  await clients.acknowledgements(WORKERS);
  await cluster.loseSight();
  await clients.acknowledgements(WRITES);
  await clients.stop();
  await cluster.losePrimary('killed');
  const { lost } = await withPlatform(place, (platform) => compare(platform, ledger.settled));
  expect(lost.length).toBeGreaterThan(0);
  canaryFound('failovers', `with asynchronous standbys the ledger found ${lost.length} acknowledged writes lost`);
}
