import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { queueMessage } from '#server/messages/messages.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { canaryFound, full, proved, rounds } from '#testing/evidence/record.ts';
import { MailServer } from '#testing/servers/mail-server.ts';
import { Clients } from './clients.harness.ts';
import { compare, expectAllStored, expectNewStored, Ledger, plantFaults, tornParts } from './ledger.harness.ts';
import { type Place, proofFolder, seed, startAt, withPlatform } from './place.harness.ts';
import { type Cluster, type StopMode, startCluster } from './postgres.harness.ts';

/** PostgreSQL is restarted under load, cleanly and as after a crash, while the server keeps running. */

const RESTARTS = rounds(3, 200);
const WORKERS = rounds(6, 16);
/** Writes between two restarts. */
const WRITES = rounds(15, 60);
/** At every n-th restart PostgreSQL stays away longer than a request is held, so that requests are refused. */
const LONG_EVERY = rounds(3, 10);
const LONG_MS = 3_500;
const CHECK_ALL_EVERY = 20;
const HOURS = 10 * 3_600_000;
/** `npm test` may run on a busy machine. */
const BACK_WITHIN_MS = rounds(60_000, 5_000);
/** Idempotent work is retried for 3 s; a loaded machine adds the rest. */
const ANSWERED_WITHIN_MS = 3_000 + BACK_WITHIN_MS;

function queueMail(platform: Platform, to: string): Promise<void> {
  const message = { channel: 'email', to, subject: 'Your account is active', body: 'Log in.' } as const;
  return platform.db.inTransaction((change) => queueMessage(platform, change, message));
}

/** Waits until the background work has resumed too and settled every mail; returns their number. */
function settledMails({ db }: Platform): Promise<number> {
  return vi.waitFor(
    async () => {
      const mails = await db.selectFrom('messages').select('state').where('channel', '=', 'email').execute();
      expect(mails.filter(({ state }) => !['sent', 'failed'].includes(state))).toEqual([]);
      return mails.length;
    },
    { timeout: 100_000, interval: 100 },
  );
}

interface Restarted {
  readonly place: Place;
  readonly cluster: Cluster;
  readonly ledger: Ledger;
  readonly clients: Clients;
}

/** Restarts PostgreSQL; returns the longest time from its return until every worker was answered. */
async function restartRepeatedly({ place, cluster, ledger, clients }: Restarted): Promise<number> {
  let worstBackMs = 0;
  for (let restart = 1; restart <= RESTARTS; restart += 1) {
    await clients.acknowledgements(WRITES);
    const mode: StopMode = restart % 2 === 0 ? 'immediate' : 'fast';
    await cluster.stop(mode);
    if (restart % LONG_EVERY === 0) await wait(LONG_MS);
    await cluster.start();
    const began = performance.now();
    await clients.acknowledgements(WORKERS);
    const backMs = performance.now() - began;
    expect(backMs, `restart ${restart}, ${mode}`).toBeLessThan(BACK_WITHIN_MS);
    worstBackMs = Math.max(worstBackMs, backMs);
    await withPlatform(place, async (platform) => {
      await expectNewStored(platform, ledger);
      if (full || restart === RESTARTS) await queueMail(platform, `restart-${restart}@example.com`);
      if (restart % CHECK_ALL_EVERY === 0) expect(await tornParts(platform)).toEqual([]);
    });
  }
  return Math.round(worstBackMs);
}

/** Repeats the comparison with planted faults. */
async function findPlanted(platform: Platform, ledger: Ledger): Promise<void> {
  const planted = await plantFaults(platform, ledger);
  const { lost, doubled } = await compare(platform, ledger.settled);
  expect([lost, doubled]).toEqual([[`invoice ${planted.lost}`], [`invoice ${planted.doubled}: 2 times`]]);
  canaryFound('postgresql-restarts', 'a row deleted and a row doubled behind the server’s back were found');
}

test(`${RESTARTS} restarts of PostgreSQL under load`, { timeout: rounds(240_000, HOURS) }, async () => {
  const folder = await proofFolder();
  const cluster = await startCluster(folder, 'elsewhere');
  const mail = await new MailServer().listen();
  onTestFinished(() => mail.close());
  const place = { dataDir: folder, databaseUrl: cluster.urlOf('kasente'), smtpUrl: mail.url };
  await seed(place);
  const server = await startAt(place);
  const ledger = new Ledger();
  const clients = await Clients.start(ledger, server, WORKERS);
  const worstBackMs = await restartRepeatedly({ place, cluster, ledger, clients });
  await clients.stop();
  expect(server.child.exitCode).toBeNull();
  const { faults, worstMs, byStatus } = clients.answered;
  expect(faults).toEqual([]);
  expect(worstMs).toBeLessThan(ANSWERED_WITHIN_MS);
  expect(byStatus.get(0) ?? 0).toBe(0); // the server’s own connections were never cut
  expect(byStatus.get(503) ?? 0).toBeGreaterThan(0);
  await withPlatform(place, async (platform) => {
    await expectAllStored(platform, ledger);
    const mails = await settledMails(platform);
    const arrived = mail.mails.all.map(({ to }) => to?.[0]?.address);
    expect(new Set(arrived).size).toBe(arrived.length);
    proved(
      'postgresql-restarts',
      `${RESTARTS} restarts, every other one immediate, ${Math.floor(RESTARTS / LONG_EVERY)} of them away for more than ` +
        `${LONG_MS / 1000} s; ${ledger.acknowledgements} acknowledgements: 0 lost, 0 doubled, 0 torn; ` +
        `${byStatus.get(503)} answers 503 with Retry-After, nothing else refused or cut; worst answer ${worstMs} ms, ` +
        `back at worst ${worstBackMs} ms after PostgreSQL; ${mails} mails queued meanwhile, ${arrived.length} arrived, none twice`,
    );
    await findPlanted(platform, ledger);
  });
  expect(await server.stop('SIGTERM')).toBe(0);
});
