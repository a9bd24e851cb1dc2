import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { canaryFound, proved, rounds } from '#testing/evidence/record.ts';
import { until } from '#testing/until.ts';
import { accountFor, spawnAs } from './account.ts';
import { binariesFor, findPackage } from './binaries.ts';
import { type EmbeddedPostgresConnection, EmbeddedPostgresError } from './embedded-postgres.ts';
import { connectToHolder, readLockFile } from './holder.ts';
import {
  clusterToCopy,
  isRoot,
  postmasterOf,
  processesIn,
  startChild,
  startHere,
  temporaryFolder,
} from './launcher.harness.ts';

const wholeCluster = clusterToCopy();

async function query<Row extends pg.QueryResultRow>(
  connection: EmbeddedPostgresConnection,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

test('the first start creates a PostgreSQL 18 with our settings; the next start finds its rows', async () => {
  const folder = await temporaryFolder();
  const first = await startHere(folder);
  expect(first.owner).toBe(true);
  expect(first.connection).toMatchObject({ user: 'kasente', database: 'kasente' });
  const names = ['fsync', 'listen_addresses', 'data_checksums', 'server_encoding', 'TimeZone', 'max_connections'];
  const settings = await query<{ name: string; setting: string }>(
    first.connection,
    `select name, setting from pg_settings where name in ('${names.join("','")}')`,
  );
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toMatchObject({
    fsync: 'on',
    listen_addresses: '',
    data_checksums: 'on',
    server_encoding: 'UTF8',
    TimeZone: 'UTC',
  });
  const [locale] = await query(
    first.connection,
    `select datlocprovider, datlocale from pg_database where datname = 'kasente'`,
  );
  expect(locale).toEqual({ datlocprovider: 'b', datlocale: 'C.UTF-8' });
  await query(first.connection, `create extension citext; create extension pg_trgm; create extension btree_gist`);
  await query(first.connection, `create table kept as select 'Kasente' as name`);
  await first.stop();
  expect(await processesIn(join(folder, 'data/postgres'))).toEqual([]);
  expect(existsSync(first.connection.host)).toBe(false);

  const second = await startHere(folder, { database: 'other', settings: { max_connections: '33' } });
  expect(await query(second.connectionFor('kasente'), 'select name from kept')).toEqual([{ name: 'Kasente' }]);
  expect(await query(second.connection, 'select current_database() as name')).toEqual([{ name: 'other' }]);
  expect(await query(second.connection, 'show max_connections')).toEqual([{ max_connections: '33' }]);
});

test('only its own user may enter the folders of the socket and of the cluster', async () => {
  const { folder } = await wholeCluster();
  const { connection } = await startHere(folder);
  for (const place of [connection.host, join(folder, 'data/postgres')]) {
    expect((await stat(place)).mode & 0o077).toBe(0);
  }
});

test('a data folder with a very long path, spaces and quotes works, because the socket is elsewhere', async () => {
  const folder = await temporaryFolder();
  const dataDir = join(folder, ...Array.from({ length: 6 }, () => `it's a "long" path ${'x'.repeat(100)}`));
  const first = await startHere(folder, { dataDir });
  expect(`${first.connection.host}/.s.PGSQL.5432`.length).toBeLessThan(107);
  await query(first.connection, `create table kept as select 1 as one`);
  await first.stop();
  const second = await startHere(folder, { dataDir });
  expect(await query(second.connection, 'select one from kept')).toEqual([{ one: 1 }]);
});

test('a tool joins a server, and is notified when the server stops', async () => {
  const { folder } = await wholeCluster();
  const holder = startChild(folder, 'hold');
  const { socketFolder } = await holder.until('ready');
  const onExit = vi.fn<(error: EmbeddedPostgresError) => void>();
  const joined = await startHere(folder, { onExit, database: 'second' });
  expect(joined.owner).toBe(false);
  expect(joined.connection).toMatchObject({ host: socketFolder, database: 'second' });
  await query(joined.connectionFor('kasente'), 'insert into kept default values');

  holder.process.kill('SIGTERM');
  await holder.until('stopped');
  await until(async () => onExit.mock.calls.length > 0);
  expect(onExit.mock.calls).toEqual([[expect.any(EmbeddedPostgresError)]]);
  expect(onExit.mock.calls[0]?.[0].message).toMatch(/that held the database .* has stopped: run this again/);
  await expect(query(joined.connection, 'select 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/);
  await joined.stop();
  const next = await startHere(folder);
  expect(next.owner).toBe(true);
  expect(await query(next.connection, 'select count(*)::int as rows from kept')).toEqual([{ rows: 2 }]);
});

test('a tool that disconnects does not stop the server’s cluster', async () => {
  const { folder } = await wholeCluster();
  const holder = await startHere(folder);
  const joined = await startHere(folder);
  await joined.stop();
  expect(await query(holder.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a second server is refused while the first one runs, and takes over from one that stops', async () => {
  const { folder } = await wholeCluster();
  const holder = await startHere(folder);
  await expect(startHere(folder, { mayJoin: false })).rejects.toThrow(/^Another Kasente server uses the database in /);
  expect(await query(holder.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  const next = startHere(folder, { mayJoin: false });
  await holder.stop();
  expect((await next).owner).toBe(true);
});

/** Starts servers on one folder, with or without a cluster. Returns how many hold it. */
async function raceForFolder(servers: number, whole: boolean): Promise<{ owners: number; clusters: number }> {
  const { folder } = whole ? await wholeCluster() : { folder: await temporaryFolder() };
  const racers = Array.from({ length: servers }, () => startChild(folder, 'insert'));
  const started = await Promise.all(racers.map((server) => server.until('ready')));
  await Promise.all(racers.map((server) => server.until('acknowledged')));
  const clusters = new Set(started.map(({ socketFolder }) => socketFolder)).size;
  await Promise.all(racers.map((server) => server.kill()));
  return { owners: started.filter(({ owner }) => owner).length, clusters };
}

test('of several processes that start together one holds the cluster and the others join it', {
  timeout: 3_600_000,
}, async () => {
  const races = rounds(1, 100);
  for (let race = 0; race < races; race += 1) {
    // Every other round is a first start, and some rounds have five processes.
    const servers = race % 5 === 0 ? 5 : 2;
    expect(await raceForFolder(servers, race % 2 === 1)).toEqual({ owners: 1, clusters: 1 });
  }
  proved(
    'one-holder',
    `${races} races of two to five servers for one data folder, half of them first starts: one holder each`,
  );
});

test('the test would notice two holders: the canary', async () => {
  const [one, other] = [await temporaryFolder(), await temporaryFolder()];
  const servers = [startChild(one, 'insert'), startChild(other, 'insert')];
  const started = await Promise.all(servers.map((server) => server.until('ready')));
  expect(started.filter(({ owner }) => owner)).toHaveLength(2);
  expect(new Set(started.map(({ socketFolder }) => socketFolder)).size).toBe(2);
  canaryFound('one-holder', 'two servers on two folders were told as two holders of two clusters');
});

test('Ctrl-C reaches only the server, which still writes and then stops PostgreSQL itself', async () => {
  const { folder } = await wholeCluster();
  const server = startChild(folder, 'hold');
  await server.until('ready');
  process.kill(-(server.process.pid ?? Number.NaN), 'SIGINT'); // the whole group, as a terminal does
  expect((await server.until('last')).last).toBe(1);
  await server.until('stopped');
  expect(server.messages.filter(({ lost }) => lost !== undefined)).toEqual([]);
  expect(await processesIn(join(folder, 'data/postgres'))).toEqual([]);
});

test('a crash of PostgreSQL is reported at once, and the next start recovers', async () => {
  const { folder } = await wholeCluster();
  const onExit = vi.fn<(error: EmbeddedPostgresError) => void>();
  const postgres = await startHere(folder, { onExit });
  await query(postgres.connection, `create table kept as select 1 as one`);
  process.kill(await postmasterOf(join(folder, 'data/postgres')), 'SIGKILL');
  await until(async () => onExit.mock.calls.length > 0);
  expect(onExit.mock.calls[0]?.[0].message).toMatch(
    /^PostgreSQL ended while Kasente was running .*: start Kasente again/,
  );
  await postgres.stop();
  expect(existsSync(postgres.connection.host)).toBe(false);
  const again = await startHere(folder);
  expect(await query(again.connection, 'select one from kept')).toEqual([{ one: 1 }]);
});

test('an orderly stop is not reported as a crash, and a second stop does nothing', async () => {
  const { folder } = await wholeCluster();
  const onExit = vi.fn<(error: EmbeddedPostgresError) => void>();
  const postgres = await startHere(folder, { onExit });
  await Promise.all([postgres.stop(), postgres.stop()]);
  await postgres.stop();
  expect(onExit).not.toHaveBeenCalled();
});

test('open connections may finish before it stops; an abandoned one does not prevent the stop', async () => {
  const { folder, cluster } = await wholeCluster();
  const postgres = await startHere(folder);
  const [finishing, left] = [new pg.Client(postgres.connection), new pg.Client(postgres.connection)];
  const endOfLeft: unknown[] = [];
  left.on('error', (error) => endOfLeft.push(error));
  await Promise.all([finishing.connect(), left.connect()]);
  const stopping = postgres.stop();
  await vi.waitUntil(async () => /stopping/.test(await readFile(join(cluster, 'postmaster.pid'), 'utf8')), {
    interval: 1,
  });
  await finishing.query('select pg_sleep(0.1)');
  await finishing.end();
  await stopping;
  expect(endOfLeft[0]).toMatchObject({ code: '57P01' });
});

test('PostgreSQL’s reports are logged; a failed statement’s values are not', async () => {
  const { folder } = await wholeCluster();
  const lines: string[] = [];
  const { connection } = await startHere(folder, { log: (line) => void lines.push(line) });
  lines.length = 0; // a clone in a closed folder has logged where PostgreSQL's programs are
  await query(connection, 'create table people (phone text primary key)');
  await query(connection, `insert into people values ('0700000001')`);
  await expect(query(connection, `insert into people values ('0700000001')`)).rejects.toThrow(/duplicate key/);
  await expect(query(connection, `select pg_terminate_backend(pg_backend_pid())`)).rejects.toThrow(/terminat/);
  await until(async () => lines.length > 0);
  expect(lines).toEqual(['PostgreSQL: FATAL:  terminating connection due to administrator command']);
});

/** A running process under PostgreSQL's user that has nothing to do with it. */
async function bystander(): Promise<number> {
  const child = spawn('sleep', ['600'], { ...spawnAs(await accountFor(undefined)), cwd: '/', stdio: 'ignore' });
  await once(child, 'spawn');
  onTestFinished(() => void child.kill('SIGKILL'));
  return child.pid ?? Number.NaN;
}

test.each([
  ['names a process that is somebody else by now', async () => `${await bystander()}\n/gone\n0\n5432\n/tmp/gone\n\n`],
  ['names a process that is no more', async () => `4194303\n/gone\n0\n5432\n/tmp/gone\n\n`],
  ['is empty', async () => ''],
])('a lock file left behind that %s does not stand in the way', async (_, content) => {
  const { folder, cluster } = await wholeCluster();
  await writeFile(join(cluster, 'postmaster.pid'), await content());
  const postgres = await startHere(folder);
  expect(postgres.owner).toBe(true);
});

test('a copy of a live folder gets a PostgreSQL of its own, not the original', async () => {
  const { folder } = await wholeCluster();
  const original = await startHere(folder);
  await query(original.connection, 'checkpoint');
  await cp(join(folder, 'data'), join(folder, 'copy'), { recursive: true });
  const copy = await startHere(folder, { dataDir: join(folder, 'copy') });
  expect(copy.owner).toBe(true);
  expect(copy.connection.host).not.toBe(original.connection.host);
  await query(copy.connection, 'create table only_in_copy ()');
  await expect(query(original.connection, 'table only_in_copy')).rejects.toThrow(/does not exist/);
});

test('a folder that another PostgreSQL holds is left alone, and the message names the process', async () => {
  const { folder, cluster } = await wholeCluster();
  await (await startHere(folder)).stop(); // gives it to the right user
  const account = await accountFor(isRoot ? cluster : undefined);
  const socketFolder = await mkdtemp('/tmp/kasente-foreign-');
  if (account !== undefined) await chown(socketFolder, account.uid, account.gid);
  const { postgres: program } = await binariesFor(
    account,
    await findPackage(),
    [join(folder, 'open')],
    () => undefined,
  );
  const flags = ['-D', cluster, '-k', socketFolder, '-c', 'listen_addresses='];
  const foreign = spawn(program, flags, { ...spawnAs(account), cwd: '/', stdio: 'ignore' });
  onTestFinished(async () => {
    foreign.kill('SIGINT');
    await once(foreign, 'exit');
    await rm(socketFolder, { recursive: true });
  });
  await until(async () => existsSync(join(cluster, 'postmaster.pid')));
  await expect(startHere(folder)).rejects.toThrow(
    new RegExp(`is in use by another program \\(process ${foreign.pid}: .*postgres -D .*\\): stop it, or set DATA_DIR`),
  );
  expect(foreign.exitCode).toBe(null);
});

test('a server of another version is not joined', async () => {
  const { folder, cluster } = await wholeCluster();
  await startHere(folder);
  const lock = await readLockFile(cluster);
  if (typeof lock !== 'object') throw new Error(await readFile(join(cluster, 'postmaster.pid'), 'utf8'));
  await expect(connectToHolder(lock, cluster, '18.99')).rejects.toThrow(
    /in use by another program \(process \d+: .*postgres/,
  );
});
