import { chmod, chown, cp, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { type Account, accountFor, accountNamed, passes } from './account.ts';
import { binariesFor, findPackage } from './binaries.ts';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import { isRoot, processesIn, startChild, startHere, temporaryFolder } from './launcher.harness.ts';

/** An ordinary user that every system has, for checks that root would always pass. */
const ordinary: Account = (await accountNamed('daemon')) ?? { uid: 1, gid: 1, name: 'daemon' };
/** False below root's home, for instance, where no other user can run even this test's own files. */
const othersMayReadUs = isRoot && (await passes(ordinary, '-r', import.meta.filename));

async function run(postgres: EmbeddedPostgres, text: string): Promise<unknown[]> {
  const client = new pg.Client(postgres.connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function usersOf(cluster: string): Promise<ReadonlySet<number>> {
  const pids = await processesIn(cluster);
  expect(pids.length).toBeGreaterThan(0);
  return new Set(await Promise.all(pids.map(async (pid) => (await stat(`/proc/${pid}`)).uid)));
}

async function rootsAccount(): Promise<Account> {
  const account = await accountFor(undefined);
  if (account === undefined) throw new Error('only root needs another account');
  return account;
}

/** A data folder inside one that only root may enter. */
async function closedDataFolder(): Promise<{ folder: string; dataDir: string }> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'home'), { mode: 0o700 });
  return { folder, dataDir: join(folder, 'home/kasente/data') };
}

describe.skipIf(isRoot)('as an ordinary user', () => {
  test('PostgreSQL runs under that user', async () => {
    const folder = await temporaryFolder();
    await startHere(folder);
    expect(await usersOf(join(folder, 'data/postgres'))).toEqual(new Set([process.getuid?.()]));
  });

  test('a folder that the user may not write to is named in one sentence', async () => {
    const folder = await temporaryFolder();
    await chmod(folder, 0o500);
    await expect(startHere(folder)).rejects.toThrow(/^The data folder .* cannot be used \(EACCES.*or set DATA_DIR/);
    await chmod(folder, 0o700);
  });
});

describe.skipIf(!isRoot)('as root', () => {
  test('PostgreSQL runs under postgres or nobody, and owns its folder', async () => {
    const folder = await temporaryFolder();
    const { uid } = await rootsAccount();
    await startHere(folder);
    expect(uid).not.toBe(0);
    expect(await usersOf(join(folder, 'data/postgres'))).toEqual(new Set([uid]));
    expect((await stat(join(folder, 'data/postgres'))).uid).toBe(uid);
  });

  test('a cluster that root restored, with root as owner, is given to that user and starts', async () => {
    const folder = await temporaryFolder();
    await (await startHere(folder)).stop();
    const cluster = join(folder, 'data/postgres');
    await chown(cluster, 0, 0);
    await chmod(cluster, 0o755);
    for (const name of await readdir(cluster, { recursive: true })) await chown(join(cluster, name), 0, 0);
    await startHere(folder);
    expect((await stat(join(cluster, 'global/pg_control'))).uid).toBe((await rootsAccount()).uid);
  });

  test('a cluster is given to that user even if some of its files disappear meanwhile, as when another server has just started it', async () => {
    const folder = await temporaryFolder();
    await (await startHere(folder)).stop();
    const cluster = join(folder, 'data/postgres');
    const passing = Array.from({ length: 4_000 }, (_, nth) => join(cluster, 'base', `passing-${nth}`));
    await Promise.all(passing.map((path) => writeFile(path, '')));
    await chown(cluster, 0, 0);
    const started = startHere(folder);
    // From both ends: in whichever direction the walk goes, it meets files that it has listed and that are gone.
    const remove = async (paths: readonly string[]): Promise<void> => {
      for (const path of paths) await rm(path, { force: true });
    };
    await Promise.all([remove(passing.slice(0, 2_000)), remove(passing.slice(2_000).toReversed())]);
    await started;
    expect((await stat(cluster)).uid).toBe((await rootsAccount()).uid);
  });

  describe.skipIf(isRoot && !othersMayReadUs)('beside an ordinary user', () => {
    test("joins an ordinary user's server, and runs that user's cluster under that user", async () => {
      const folder = await temporaryFolder();
      await chown(folder, ordinary.uid, ordinary.gid);
      const server = startChild(folder, 'hold', ordinary);
      expect((await server.until('ready')).owner).toBe(true);
      expect(await usersOf(join(folder, 'data/postgres'))).toEqual(new Set([ordinary.uid]));
      const joined = await startHere(folder);
      expect(joined.owner).toBe(false);
      expect(await run(joined, 'insert into kept default values returning id')).toEqual([{ id: 1 }]);
      await joined.stop();
      server.process.kill('SIGTERM');
      await server.until('stopped');

      const own = await startHere(folder);
      expect(own.owner).toBe(true);
      expect(await usersOf(join(folder, 'data/postgres'))).toEqual(new Set([ordinary.uid]));
      await own.stop();
      expect((await startChild(folder, 'hold', ordinary).until('ready')).kept).toEqual([1, 2]);
    });

    test('an ordinary user is told whose cluster it is', async () => {
      const folder = await temporaryFolder();
      await (await startHere(folder)).stop();
      const { name } = await rootsAccount();
      expect((await startChild(folder, 'hold', ordinary).until('error')).error).toMatch(
        new RegExp(`belongs to the user ${name}: start Kasente as that user or as root, or set DATA_DIR`),
      );
    });

    test('an ordinary user is told which data folder is closed to them', async () => {
      const { folder } = await closedDataFolder();
      await chmod(folder, 0o700);
      const { error, name } = await startChild(folder, 'hold', ordinary).until('error');
      expect(name).toBe('EmbeddedPostgresError');
      expect(error).toMatch(/^The data folder .* cannot be used \(EACCES/);
    });
  });

  describe('in a closed folder', () => {
    test('the database is created outside, the log says so in one line, and it is found again with and without its pointer', async () => {
      const { folder, dataDir } = await closedDataFolder();
      const lines: string[] = [];
      // A clone in a closed folder also logs where PostgreSQL's programs are.
      const log = (line: string) => void (line.startsWith('The database') && lines.push(line));
      const first = await startHere(folder, { dataDir, log });
      await run(first, 'create table kept as select 1 as one');
      await first.stop();
      const pointer = join(dataDir, 'postgres-location.txt');
      const [place = ''] = (await readFile(pointer, 'utf8')).split('\n');
      expect(place.startsWith(join(folder, 'open/'))).toBe(true);
      expect(lines).toEqual([expect.stringMatching(`^The database is in ${place}, because ${dataDir} is closed`)]);

      const second = await startHere(folder, { dataDir });
      expect(await run(second, 'select one from kept')).toEqual([{ one: 1 }]);
      await second.stop();
      await rm(pointer);
      const third = await startHere(folder, { dataDir });
      expect(await run(third, 'select one from kept')).toEqual([{ one: 1 }]);
      await third.stop();
      expect(await readFile(pointer, 'utf8')).toContain(place);

      await chmod(join(folder, 'home'), 0o755); // open by now: the data stays where it is, with or without a pointer
      const fourth = await startHere(folder, { dataDir });
      expect(await run(fourth, 'select one from kept')).toEqual([{ one: 1 }]);
      await fourth.stop();
      await rm(pointer);
      const fifth = await startHere(folder, { dataDir });
      expect(await run(fifth, 'select one from kept')).toEqual([{ one: 1 }]);
    });

    test('a lost database outside is not replaced by an empty one', async () => {
      const { folder, dataDir } = await closedDataFolder();
      await (await startHere(folder, { dataDir })).stop();
      await rm(join(folder, 'open'), { recursive: true });
      await expect(startHere(folder, { dataDir })).rejects.toThrow(
        /but nothing is there: put that folder back from a backup/,
      );
    });

    test('a database that was created before the folder was closed is not replaced by an empty one', async () => {
      const folder = await temporaryFolder();
      await (await startHere(folder)).stop();
      await chmod(folder, 0o700);
      await expect(startHere(folder)).rejects.toThrow(/a folder above it is closed to the user .* chmod o\+x/);
    });

    test('a folder that somebody else created first is not trusted', async () => {
      const { folder, dataDir } = await closedDataFolder();
      await mkdir(join(folder, 'foreign'));
      await chown(join(folder, 'foreign'), ordinary.uid, ordinary.gid);
      const postgres = await startHere(folder, {
        dataDir,
        openFolders: [join(folder, 'foreign'), join(folder, 'open')],
      });
      expect(await run(postgres, 'show data_directory')).toEqual([
        { data_directory: expect.stringContaining(join(folder, 'open/')) },
      ]);
      await expect(
        startHere(folder, { dataDir: join(folder, 'home/other'), openFolders: [join(folder, 'foreign')] }),
      ).rejects.toThrow(/is closed to the user .*: set DATA_DIR to a folder that other users may enter/);
    });
  });

  test('programs in a closed folder are copied once, and an incomplete copy is made again', async () => {
    const folder = await temporaryFolder();
    const source = await findPackage();
    const closed = { ...source, folder: join(folder, 'closed/package') };
    await mkdir(join(folder, 'closed'), { mode: 0o700 });
    await cp(source.folder, closed.folder, { recursive: true, verbatimSymlinks: true });
    await rm(join(closed.folder, 'native/lib/libpq.so.5')); // as if install scripts had not run
    const lines: string[] = [];
    const prepare = () => binariesFor(ordinary, closed, [join(folder, 'open')], (line) => lines.push(line));

    const binaries = await prepare();
    expect(binaries.postgres).toBe(join(folder, `open/postgresql-${source.release}/bin/postgres`));
    expect(lines).toEqual([expect.stringMatching(/^PostgreSQL's programs were copied to .*, because .* is closed/)]);
    const { ino } = await stat(binaries.postgres);
    await prepare();
    expect((await stat(binaries.postgres)).ino).toBe(ino);
    expect(lines).toHaveLength(1);

    await truncate(binaries.postgres, 1000);
    await prepare();
    expect((await stat(binaries.postgres)).size).toBe((await stat(join(source.folder, 'native/bin/postgres'))).size);
    expect(await readdir(join(folder, 'open'))).toEqual([`postgresql-${source.release}`]);
  });
});
