import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { readConfig } from '#server/config/config.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { createLog } from '#server/observability/logging.ts';
import { openPlatform } from '#server/open-platform.ts';
import type { Platform } from '#server/platform/platform.ts';
import { createSealer } from '#server/secrets/sealer.ts';
import { full } from '#testing/evidence/record.ts';
import type { TestApp } from '#testing/test-app.ts';
import { runAnnounced } from './tool.harness.ts';

/** Tests of backup and restore: places to restore to, and independent comparisons. */

/** The installations' secret, of at least 32 characters. */
export const SECRET = 'a secret for the drill of backup and restore';

/** A folder for one test that other users can enter, because root's PostgreSQL runs as another user. */
export async function temporaryFolder(): Promise<string> {
  const folder = await makeFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  return folder;
}

/** A folder that other users can enter; the caller removes it. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kasente-backup-'));
  await chmod(folder, 0o755);
  return folder;
}

/** Opens a platform with these settings as the commands do; closed after the test. */
export async function openWith(env: Record<string, string>): Promise<Platform> {
  const config = readConfig({ NODE_ENV: 'development', SECRET_KEY: SECRET, LOG_LEVEL: 'silent', ...env });
  const opened = await openPlatform(config, createLog('silent'), () => undefined);
  onTestFinished(() => opened.close());
  return opened.platform;
}

/** A test server's platform as the commands open it, with the owner's role. */
export function asTool({ platform, database: { owner } }: TestApp): Platform {
  return { ...platform, db: owner.db, pool: owner.pool, sealer: createSealer(SECRET) };
}

/** A cluster for DATABASE_URL: a new one in full runs, the tests' in short ones. */
export interface OtherCluster {
  /** Opens a platform on an empty database and folder. */
  emptyPlace(env?: Record<string, string>): Promise<Platform>;
  stop(): Promise<void>;
}

export async function startOtherCluster(): Promise<OtherCluster> {
  const folder = await makeFolder();
  const own = full ? await startEmbeddedPostgres({ dataDir: folder }) : undefined;
  const { host, port, user } = own?.connection ?? inject('cluster');
  const admin = new pg.Client({ host, port, user, database: 'postgres' });
  await admin.connect();
  const made: string[] = [];
  return {
    emptyPlace: async (env = {}) => {
      const name = `restored_${randomBytes(8).toString('hex')}`;
      await admin.query(`create database ${name}`);
      made.push(name);
      const url = `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
      return openWith({ DATABASE_URL: url, DATA_DIR: await temporaryFolder(), ...env });
    },
    stop: async () => {
      for (const name of made) await admin.query(`drop database ${name} with (force)`);
      await admin.end();
      await own?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A digest of each table, including generated columns. */
export async function rowsOf({ db }: Platform): Promise<Map<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely%' order by 1`.execute(
    db,
  );
  const found = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await sql<{ digest: string }>`select count(*) || ' rows ' || coalesce(encode(sha256(convert_to(
      string_agg(row::text, chr(10) order by row::text collate "C"), 'UTF8')), 'hex'), '') as digest
      from ${sql.table(name)} as row`.execute(db);
    found.set(name, rows[0]?.digest ?? '');
  }
  return found;
}

/** The names of all tables. */
export async function tablesOf({ db }: Platform): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public'`.execute(db);
  return rows.map(({ name }) => name);
}

/** A digest of each file in the store, by key. */
export async function documentsOf({ files }: Platform): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const key of files.list()) {
    const hash = createHash('sha256');
    for await (const chunk of (await files.read(key)).content) hash.update(chunk);
    found.set(key, hash.digest('hex'));
  }
  return found;
}

/** The names of missing, additional and different digests. */
export function differences(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => one.get(name) !== other.get(name)).sort();
}

/** Flips a bit of one byte of a file; a second call reverts it. */
export async function changeByte(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const byte = Buffer.alloc(1);
    await file.read(byte, 0, 1, at);
    byte.writeUInt8(byte.readUInt8() ^ 1);
    await file.write(byte, 0, 1, at);
  } finally {
    await file.close();
  }
}

/** Runs a command with the secret. */
export const run = (
  script: 'backup' | 'restore',
  args: readonly string[],
  env: Record<string, string>,
  options?: { readonly killAfterMs: number },
) => runAnnounced(script, args, { NODE_ENV: 'development', SECRET_KEY: SECRET, ...env }, options);
