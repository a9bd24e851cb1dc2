import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EmbeddedPostgresError } from './embedded-postgres.ts';
import { clusterToCopy, snapshot, startHere, temporaryFolder } from './launcher.harness.ts';

const wholeCluster = clusterToCopy();

async function sentenceFor(folder: string): Promise<string> {
  const failure: unknown = await startHere(folder).then(
    () => 'it started',
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(EmbeddedPostgresError);
  return failure instanceof Error ? failure.message : '';
}

/** Databases that initdb makes have lower numbers. */
const FIRST_OID_OF_OURS = 16_384;
const RESTORE = /: put the folder back from a backup, or move it away to start with an empty database/;

test.each<[string, RegExp, (cluster: string) => Promise<unknown>]>([
  ['PG_VERSION is missing', /damaged \(PG_VERSION is missing\)/, (cluster) => rm(join(cluster, 'PG_VERSION'))],
  ['pg_control is missing', /\(global\/pg_control is missing\)/, (cluster) => rm(join(cluster, 'global/pg_control'))],
  ['pg_control is empty', /\(global\/pg_control is empty\)/, (cluster) => truncate(join(cluster, 'global/pg_control'))],
  ['pg_wal is missing', /\(pg_wal is missing\)/, (cluster) => rm(join(cluster, 'pg_wal'), { recursive: true })],
  [
    'PG_VERSION is garbage',
    /\(PG_VERSION holds no version\)/,
    (cluster) => writeFile(join(cluster, 'PG_VERSION'), '\0\0\0'),
  ],
  [
    'pg_control is garbage',
    /\(PostgreSQL says: .*\)/,
    (cluster) => writeFile(join(cluster, 'global/pg_control'), randomBytes(8192)),
  ],
])('when %s, the start refuses in one sentence and changes nothing', async (_, sentence, damage) => {
  const { folder, cluster } = await wholeCluster();
  await damage(cluster);
  await expectRefusal(folder, cluster, sentence);
});

test.each<[string, RegExp, (cluster: string) => Promise<unknown>]>([
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
])('when %s, the start refuses in one sentence and changes nothing', async (_, sentence, make) => {
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
  after.delete(`${cluster}.lock`); // beside it, not in it
  expect(after).toEqual(before);
}

test('a database of another major version is named as such and left alone', async () => {
  const { folder, cluster } = await wholeCluster();
  await writeFile(join(cluster, 'PG_VERSION'), '17\n');
  const before = await snapshot(join(folder, 'data'));
  expect(await sentenceFor(folder)).toMatch(
    /was made by PostgreSQL 17 and this Kasente brings PostgreSQL 18: start it with/,
  );
  expect(await snapshot(join(folder, 'data'))).toEqual(before);
});

test('a database whose files are gone is not made anew', async () => {
  const { folder, cluster } = await wholeCluster();
  const [kasente = ''] = (await readdir(join(cluster, 'base'))).filter((oid) => Number(oid) >= FIRST_OID_OF_OURS);
  await rm(join(cluster, 'base', kasente), { recursive: true });
  expect(await sentenceFor(folder)).toMatch(RESTORE);
  expect(await readdir(join(cluster, 'base'))).not.toContain(kasente);
});

test("lost write-ahead log stops the start with PostgreSQL's own reason", async () => {
  const { folder, cluster } = await wholeCluster();
  for (const name of await readdir(join(cluster, 'pg_wal'))) {
    if (/^[0-9A-F]{24}$/.test(name)) await rm(join(cluster, 'pg_wal', name));
  }
  expect(await sentenceFor(folder)).toMatch(/damaged \(PostgreSQL says: could not locate a valid checkpoint record/);
});

test('a setting that PostgreSQL does not know is not called damage', async () => {
  const { folder } = await wholeCluster();
  await expect(startHere(folder, { settings: { no_such_setting: '1' } })).rejects.toThrow(
    /^PostgreSQL cannot start on .*no_such_setting.*: put that right and start again\.$/,
  );
});

test('the whole folder starts', async () => {
  const { folder } = await wholeCluster();
  const postgres = await startHere(folder);
  expect(postgres.owner).toBe(true);
});

test('a data folder that is a file, or cannot be written to, is named in one sentence', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'data'), '');
  expect(await sentenceFor(folder)).toMatch(
    /^The data folder .*\/data cannot be used \(EEXIST: .*\): make room and give/,
  );
});
