import { rm } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { canaryFound, proved, rounds } from '#testing/evidence/record.ts';
import type { ServerProcess } from '#testing/servers/server-process.ts';
import { Clients } from './clients.harness.ts';
import { compare, expectAllStored, expectNewStored, Ledger } from './ledger.harness.ts';
import { type Place, proofFolder, seed, startAt, withPlatform } from './place.harness.ts';
import { type Cluster, startCluster } from './postgres.harness.ts';

/** The primary is lost under load and its synchronous standby promoted, while the server keeps running. */

const FAILOVERS = rounds(1, 20);
const WORKERS = rounds(6, 16);
const WRITES = rounds(20, 200);
/** `npm test` may run on a busy machine. */
const BACK_WITHIN_MS = rounds(60_000, 5_000);
const HOURS = 10 * 3_600_000;

/** Two clusters that take turns as the primary. */
class Pair {
  readonly #folder: string;
  readonly ports: readonly [number, number];
  primary: Cluster;
  standby: Cluster;
  #made = 2;

  private constructor(folder: string, primary: Cluster, standby: Cluster) {
    this.#folder = folder;
    this.primary = primary;
    this.standby = standby;
    this.ports = [primary.port, standby.port];
  }

  /** A primary with the demonstration, and its standby; both run until the test ends. */
  static async create(folder: string): Promise<Pair> {
    const primary = await startCluster(folder, 'one');
    await seed({ dataDir: folder, databaseUrl: primary.urlOf('kasente') });
    const standby = await primary.makeStandby(folder, 'two');
    onTestFinished(() => standby.stop('immediate'));
    await standby.start();
    return new Pair(folder, primary, standby);
  }

  get place(): Place {
    const hosts = this.ports.map((port) => `127.0.0.1:${port}`).join(',');
    return { dataDir: this.#folder, databaseUrl: `postgres://kasente@${hosts}/kasente` };
  }

  /** Kills the primary with all its data, and promotes the standby. */
  async failOver(): Promise<void> {
    const [lost, promoted] = [this.primary, this.standby];
    await lost.kill();
    await promoted.promote();
    this.primary = promoted;
    this.standby = lost;
  }

  /** Replaces the lost cluster by a new standby of the promoted one. */
  async rebuild(): Promise<void> {
    this.#made += 1;
    await rm(this.standby.folder, { recursive: true });
    this.standby = await this.primary.makeStandby(this.#folder, `number-${this.#made}`, this.standby.port);
    const rebuilt = this.standby;
    onTestFinished(() => rebuilt.stop('immediate'));
    await rebuilt.start();
  }
}

test(`${FAILOVERS} failovers to a synchronous standby under load`, { timeout: rounds(240_000, HOURS) }, async () => {
  const pair = await Pair.create(await proofFolder());
  const server = await startAt(pair.place);
  const ledger = new Ledger();
  const clients = await Clients.start(ledger, server, WORKERS);
  let worstBackMs = 0;
  for (let failover = 1; failover <= FAILOVERS; failover += 1) {
    await pair.primary.waitForStandby();
    await clients.acknowledgements(WRITES);
    const began = performance.now();
    await pair.failOver();
    await clients.acknowledgements(WORKERS);
    const backMs = performance.now() - began;
    expect(backMs, `failover ${failover}`).toBeLessThan(BACK_WITHIN_MS);
    worstBackMs = Math.max(worstBackMs, backMs);
    await withPlatform(pair.place, (platform) => expectNewStored(platform, ledger));
    if (failover < FAILOVERS) await pair.rebuild();
  }
  await clients.stop();
  const { faults, worstMs, byStatus } = clients.answered;
  expect(faults).toEqual([]);
  expect(byStatus.get(0) ?? 0).toBe(0);
  expect(server.child.exitCode).toBeNull();
  await withPlatform(pair.place, (platform) => expectAllStored(platform, ledger));
  proved(
    'failovers',
    `${FAILOVERS} failovers, ${ledger.acknowledgements} acknowledgements: 0 lost, 0 doubled, 0 torn; ` +
      `${byStatus.get(503) ?? 0} answers 503 with Retry-After, nothing else refused or cut; worst answer ${worstMs} ms, ` +
      `back at worst ${Math.round(worstBackMs)} ms after the primary was killed`,
  );
  await findTheLoss(pair, server);
  expect(await server.stop('SIGTERM')).toBe(0);
});

/** The canary: an asynchronous standby loses commits, and the ledger finds them. */
async function findTheLoss(pair: Pair, server: ServerProcess): Promise<void> {
  await pair.rebuild();
  const ledger = new Ledger();
  const clients = await Clients.start(ledger, server, WORKERS);
  await clients.acknowledgements(WORKERS);
  // No later commit leaves the primary's machine.
  process.kill(await pair.primary.walSender(), 'SIGSTOP');
  await clients.acknowledgements(WRITES);
  await clients.stop();
  await pair.failOver();
  const { lost } = await withPlatform(pair.place, (platform) => compare(platform, ledger.settled));
  expect(lost.length).toBeGreaterThan(0);
  canaryFound('failovers', `with an asynchronous standby the ledger found ${lost.length} acknowledged writes lost`);
}
