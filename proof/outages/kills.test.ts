import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { postmasterOf } from '#server/embedded-postgres/launcher.harness.ts';
import { type ClaimId, KILL_RUNS } from '#testing/evidence/claims.ts';
import { canaryFound, proved, rounds } from '#testing/evidence/record.ts';
import { Clients } from './clients.harness.ts';
import { compare, expectAllStored, expectNewStored, Ledger, plantFaults, tornParts } from './ledger.harness.ts';
import { type Place, proofFolder, seed, startAt, withPlatform } from './place.harness.ts';
import { startCluster } from './postgres.harness.ts';

/**
 * Kills of a server while clients save invoices and applications, upload and submit: each acknowledged write is stored
 * once, each unanswered one once or not at all, and none in part.
 */

/** The counts of one run; the claim adds up several runs. */
const FULL = { kills: 500 / KILL_RUNS, acknowledgements: 50_000 / KILL_RUNS };
const EMBEDDED = {
  kills: rounds(2, FULL.kills),
  acknowledgements: rounds(60, FULL.acknowledgements),
  withPostgresqlEvery: rounds(2, 5),
};
const DATABASE_URL = { ...EMBEDDED, kills: rounds(1, FULL.kills), withPostgresqlEvery: rounds(1, 5) };
const WORKERS = rounds(6, 16);
const CHECK_ALL_EVERY = 50;
const TIME = { timeout: rounds(240_000, 10 * 3_600_000) };

interface Counts {
  readonly kills: number;
  readonly acknowledgements: number;
  /** At every n-th kill PostgreSQL dies with the server, as when a machine or a container is lost. */
  readonly withPostgresqlEvery: number;
}

/** A database that is killed together with the server, and restarted before it. */
interface Database {
  kill(): Promise<void>;
  restart(): Promise<void>;
}

interface Killed {
  readonly kills: number;
  readonly withPostgresql: number;
  readonly worstBackMs: number;
}

async function killRepeatedly(counts: Counts, place: Place, database: Database, ledger: Ledger): Promise<Killed> {
  let server = await startAt(place);
  const clients = await Clients.start(ledger, server, WORKERS);
  const killed = { kills: 0, withPostgresql: 0, worstBackMs: 0 };
  const average = Math.ceil(counts.acknowledgements / counts.kills);
  while (killed.kills < counts.kills || ledger.acknowledgements < counts.acknowledgements) {
    await clients.acknowledgements(randomInt(Math.ceil(average / 2), Math.ceil(average * 1.5)));
    killed.kills += 1;
    const withPostgresql = killed.kills % counts.withPostgresqlEvery === 0;
    if (withPostgresql) await database.kill();
    await server.stop('SIGKILL');
    const began = performance.now();
    if (withPostgresql) {
      killed.withPostgresql += 1;
      await database.restart();
    }
    server = await startAt(place);
    killed.worstBackMs = Math.max(killed.worstBackMs, performance.now() - began);
    clients.moveTo(server);
    await withPlatform(place, async (platform) => {
      await expectNewStored(platform, ledger);
      if (killed.kills % CHECK_ALL_EVERY === 0) expect(await tornParts(platform)).toEqual([]);
    });
  }
  await clients.stop();
  expect(clients.answered.faults).toEqual([]);
  await server.stop();
  return killed;
}

/** Compares the whole ledger at the end, and again with planted faults. */
async function judge(claim: ClaimId, place: Place, ledger: Ledger, killed: Killed): Promise<void> {
  await withPlatform(place, async (platform) => {
    await expectAllStored(platform, ledger);
    proved(
      claim,
      `${killed.kills} kills, ${killed.withPostgresql} of them with PostgreSQL; ${ledger.acknowledgements} acknowledgements, ` +
        `${ledger.unanswered} writes left without an answer: 0 lost, 0 doubled, 0 torn; ` +
        `serving again at worst ${Math.round(killed.worstBackMs)} ms after the kill`,
    );
    const planted = await plantFaults(platform, ledger);
    const found = await compare(platform, ledger.settled);
    expect(found.lost).toEqual([`invoice ${planted.lost}`]);
    expect(found.doubled).toEqual([`invoice ${planted.doubled}: 2 times`]);
    expect((await tornParts(platform)).filter((fault) => fault.includes('counts'))).not.toEqual([]);
    canaryFound(claim, 'a row deleted, a row doubled and a counter changed behind the server’s back were each found');
  });
}

test(`${EMBEDDED.kills} kills of a server with the embedded PostgreSQL`, TIME, async () => {
  const place = { dataDir: await proofFolder() };
  const ledger = new Ledger();
  const postgresql: Database = {
    kill: async () => {
      process.kill(await postmasterOf(join(place.dataDir, 'postgres')), 'SIGKILL');
    },
    restart: async () => undefined, // the server starts it
  };
  const killed = await killRepeatedly(EMBEDDED, place, postgresql, ledger);
  await judge('kills-embedded', place, ledger, killed);
});

test(`${DATABASE_URL.kills} kills of a server with DATABASE_URL`, TIME, async () => {
  const folder = await proofFolder();
  const cluster = await startCluster(folder, 'elsewhere');
  const place = { dataDir: folder, databaseUrl: cluster.urlOf('kasente') };
  await seed(place);
  const ledger = new Ledger();
  const postgresql = { kill: () => cluster.kill(), restart: () => cluster.start() };
  const killed = await killRepeatedly(DATABASE_URL, place, postgresql, ledger);
  await judge('kills-database-url', place, ledger, killed);
});
