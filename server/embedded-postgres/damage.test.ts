import { randomBytes, randomInt } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it, test } from 'vitest';
import { canaryFound, proved, rounds } from '#testing/evidence/record.ts';
import { type EmbeddedPostgres, EmbeddedPostgresError } from './embedded-postgres.ts';
import { clusterToCopy, snapshot, startHere, temporaryFolder } from './launcher.harness.ts';

/**
 * A damaged data folder makes the start fail with instructions for restoring it. It is never replaced by an empty
 * database.
 */

const wholeCluster = clusterToCopy();
const DAMAGES = 100;

async function sentenceFor(folder: string): Promise<string> {
  const failure: unknown = await startHere(folder).then(
    () => 'it started',
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(EmbeddedPostgresError);
  return failure instanceof Error ? failure.message : '';
}

/** Databases that initdb creates have lower numbers. */
const FIRST_OID_OF_OURS = 16_384;
const RESTORE = /: move that folder away, then put the last backup back with npm run restore -- /;

type Damage = (path: string) => Promise<unknown>;
const refused: string[] = [];

/** The damaged file, the damage, and the message. Only PostgreSQL itself detects the last one. */
const damages: readonly [what: string, sentence: RegExp, path: string, damage: Damage][] = [
  ['PG_VERSION is missing', /damaged \(PG_VERSION is missing\)/, 'PG_VERSION', nothing],
  ['pg_control is missing', /\(global\/pg_control is missing\)/, 'global/pg_control', nothing],
  ['pg_wal is missing', /\(pg_wal is missing\)/, 'pg_wal', nothing],
  ['pg_control is empty', /\(global\/pg_control is empty\)/, 'global/pg_control', (path) => writeFile(path, '')],
  ['PG_VERSION is garbage', /\(PG_VERSION holds no version\)/, 'PG_VERSION', (path) => writeFile(path, '\0\0\0')],
  [
    'pg_control is garbage',
    /\(PostgreSQL says: .*\)/,
    'global/pg_control',
    (path) => writeFile(path, randomBytes(8192)),
  ],
];

async function nothing(): Promise<void> {}

test('the start fails with one sentence and changes nothing if a file is missing, empty or garbage', async () => {
  const { folder, cluster } = await wholeCluster();
  for (const [, sentence, path, damage] of damages) {
    // A failed start changes nothing, so one cluster is enough for all cases.
    await rename(join(cluster, path), join(folder, 'aside'));
    await damage(join(cluster, path));
    await expectRefusal(folder, cluster, sentence);
    await rm(join(cluster, path), { force: true });
    await rename(join(folder, 'aside'), join(cluster, path));
  }
});

test("lost write-ahead log stops the start with PostgreSQL's own reason", async () => {
  const { folder, cluster } = await wholeCluster();
  for (const name of await readdir(join(cluster, 'pg_wal'))) {
    if (/^[0-9A-F]{24}$/.test(name)) await rm(join(cluster, 'pg_wal', name));
  }
  const message = await sentenceFor(folder);
  expect(message).toMatch(/damaged \(PostgreSQL says: could not locate a valid checkpoint record/);
  refused.push(message);
});

test.each<[string, RegExp, Damage]>([
  ['the folder is empty', /\(PG_VERSION is missing\)/, (cluster) => mkdir(cluster)],
  ['it is a file', /\(it is not a folder\)/, (cluster) => writeFile(cluster, 'not a folder')],
  [
    'it is a link that leads nowhere',
    /\(it is a link that leads nowhere\)/,
    (cluster) => symlink(`${cluster}.gone`, cluster),
  ],
  [
    'it holds other things',
    /\(PG_VERSION is missing\)/,
    async (cluster) => {
      await mkdir(cluster);
      await writeFile(join(cluster, 'holiday.jpg'), randomBytes(100));
    },
  ],
])('the start refuses in one sentence and changes nothing when %s', async (_, sentence, make) => {
  const folder = await temporaryFolder();
  const cluster = join(folder, 'data/postgres');
  await mkdir(join(folder, 'data'));
  await make(cluster);
  await expectRefusal(folder, cluster, sentence);
});

async function expectRefusal(folder: string, cluster: string, sentence: RegExp): Promise<void> {
  const before = await snapshot(join(folder, 'data'));
  const message = await sentenceFor(folder);
  expect(message).toMatch(sentence);
  expect(message).toMatch(RESTORE);
  expect(message).toContain(cluster);
  const after = new Map(await snapshot(join(folder, 'data')));
  after.delete(`${cluster}.lock`); // beside the folder, not inside it
  expect(after).toEqual(before);
  refused.push(message);
}

test('a database of another major version is reported as such and left alone', async () => {
  const { folder, cluster } = await wholeCluster();
  await writeFile(join(cluster, 'PG_VERSION'), '17\n');
  const before = await snapshot(join(folder, 'data'));
  expect(await sentenceFor(folder)).toMatch(
    /was made by PostgreSQL 17 and this Kasente brings PostgreSQL 18: start it with/,
  );
  expect(await snapshot(join(folder, 'data'))).toEqual(before);
});

test('a database whose files are gone is not recreated', async () => {
  const { folder, cluster } = await wholeCluster();
  const [kasente = ''] = (await readdir(join(cluster, 'base'))).filter((oid) => Number(oid) >= FIRST_OID_OF_OURS);
  await rm(join(cluster, 'base', kasente), { recursive: true });
  expect(await sentenceFor(folder)).toMatch(RESTORE);
  expect(await readdir(join(cluster, 'base'))).not.toContain(kasente);
});

test('a setting that PostgreSQL does not know is not reported as damage', async () => {
  const { folder } = await wholeCluster();
  await expect(startHere(folder, { settings: { no_such_setting: '1' } })).rejects.toThrow(
    /^PostgreSQL cannot start on .*no_such_setting.*: put that right and start again\.$/,
  );
});

test('a data folder that is a file or is not writable is reported in one sentence', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'data'), '');
  expect(await sentenceFor(folder)).toMatch(
    /^The data folder .*\/data cannot be used \(EEXIST: .*\): make room and give/,
  );
});

/** Identifies the cluster and the database that reply. A new cluster or database has another identity. */
async function identityOf({ connection }: EmbeddedPostgres): Promise<string> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined); // the statement fails with the connection
  await client.connect();
  try {
    const { rows } =
      await client.query(`select (select system_identifier from pg_control_system()) || ' ' || oid as identity
      from pg_database where datname = current_database()`);
    return String(rows[0]?.identity);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Damages a file in a way that a disk or a person could. */
const accidents: Readonly<Record<string, (path: string, size: number) => Promise<unknown>>> = {
  removed: (path) => rm(path),
  emptied: (path) => truncate(path),
  'cut off': (path, size) => truncate(path, Math.floor(size / 2)),
  overwritten: (path, size) => writeFile(path, randomBytes(size)),
  'changed in one byte': async (path, size) => {
    const file = await open(path, 'r+');
    await file.write(randomBytes(1), 0, 1, randomInt(size));
    await file.close();
  },
  'given another name': (path) => rename(path, `${path}.lost`),
};

describe('after any damage', () => {
  let [refusals, starts] = [0, 0];

  it('a new database is distinguished from the one that was there: the canary', async () => {
    const { folder, cluster } = await wholeCluster();
    const postgres = await startHere(folder);
    const identity = await identityOf(postgres);
    expect(postgres.owner).toBe(true);
    await postgres.stop();
    await rm(cluster, { recursive: true });
    expect(await identityOf(await startHere(folder))).not.toBe(identity);
    canaryFound('damaged-data', 'an empty database in the place of one that was there was told from it');
  });

  const tries = Array.from({ length: rounds(1, DAMAGES) }, (_, index) => index);
  it.each(tries)('damage %i never leads to a new database', async (index) => {
    const { folder, cluster } = await wholeCluster();
    const whole = await startHere(folder);
    const identity = await identityOf(whole);
    await whole.stop();
    await damageSomething(cluster, index);
    const outcome = await startHere(folder)
      .then(async (postgres) => ({ identity: await identityOf(postgres) }))
      .catch((error: unknown) => ({ refusal: error instanceof Error ? error.message : String(error) }));
    if ('refusal' in outcome) refusals += 1;
    else {
      // PostgreSQL doesn't need the file, or will report the damage when it reads it: it is the same database.
      expect(outcome.identity).toBe(identity);
      starts += 1;
    }
  });

  afterAll(() => {
    if (refusals + starts < tries.length) return; // one of them failed
    proved(
      'damaged-data',
      `${refused.length} damages of what a start needs: each refused with the way to restore; ${tries.length} files damaged at random: ${refusals} refused, ${starts} started as the same database; 0 fresh starts`,
    );
  });
});

/** Half of them in files that PostgreSQL needs to start, the others anywhere. */
async function damageSomething(cluster: string, index: number): Promise<void> {
  const entries = await readdir(cluster, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const vital = paths.filter((path) => /\/(global|pg_wal|pg_xact)\/|PG_VERSION$|postgresql\.conf$/.test(path));
  const sized = await Promise.all(
    (index % 2 === 0 ? vital : paths).map(async (path) => ({ path, size: (await stat(path)).size })),
  );
  const candidates = sized.filter(({ size }) => size > 0);
  const chosen = candidates[randomInt(candidates.length)];
  const ways = Object.values(accidents);
  if (chosen !== undefined) await ways[index % ways.length]?.(chosen.path, chosen.size);
}
