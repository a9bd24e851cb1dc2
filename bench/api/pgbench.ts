import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CALLERS } from '#bench/fills/callers.fill.ts';
import type { BenchDatabase } from '#bench/fills/filled.ts';

/** The upper limit: pgbench, which does nothing else, sends PostgreSQL the work as one prepared statement. */

export const HOW_TO_INSTALL = 'pgbench is not on this machine: on Debian `apt-get install postgresql-contrib`';
/** Debian's folder for the programs of each version, which is not on the path. */
const DEBIAN = '/usr/lib/postgresql';

/** The program, or undefined if it is not installed. */
export async function findPgbench(): Promise<string | undefined> {
  const versions = await readdir(DEBIAN).catch(() => []);
  const newestFirst = versions.toSorted((one, other) => Number(other) - Number(one));
  const onPath = (process.env.PATH ?? '').split(':').map((folder) => join(folder, 'pgbench'));
  return [...newestFirst.map((version) => join(DEBIAN, version, 'bin/pgbench')), ...onPath].find(existsSync);
}

/** The time to open 64 connections on a busy machine. */
const CONNECTING_SECONDS = 1;

/** The rate at which 64 connections run the script. */
export async function pgbench(
  program: string,
  database: BenchDatabase,
  script: string,
  seconds: number,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'kasente-pgbench-'));
  const file = join(folder, 'limit.sql');
  try {
    await writeFile(file, script);
    const { stdout, stderr } = await promisify(execFile)(
      program,
      [
        '-n',
        '-M',
        'prepared',
        '-c',
        String(CALLERS),
        '-j',
        '2',
        '-T',
        String(seconds + CONNECTING_SECONDS),
        '-f',
        file,
        '-h',
        database.host,
        '-p',
        String(database.port),
        '-U',
        database.user,
        database.name,
      ],
      { maxBuffer: 2 ** 24 },
    );
    if (stderr.includes('ERROR')) throw new Error(`pgbench: ${stderr.slice(0, 600)}`);
    const tps = /tps = ([\d.]+) \(without/.exec(stdout)?.[1];
    if (tps === undefined) throw new Error(`pgbench said ${stdout}`);
    return Number(tps);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
