import { createHash } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { sql } from 'kysely';
import type { Client } from 'pg';
import { appCommit } from '#server/config/build.ts';
import { type Change, transactOn } from '#server/db/transaction.ts';
import { BACKUP_LOCK } from '#server/installation/backup-lock.ts';
import { createWhole, syncFolder } from '#server/machine/atomic-folder.ts';
import { codeOf } from '#server/machine/error-codes.ts';
import { appVersion } from '#server/machine/version.ts';
import { selectApplied } from '#server/migrations/record.ts';
import { compareSchemas, describeSchema, expectedSchema, fingerprint } from '#server/migrations/schema.ts';
import type { Platform } from '#server/platform/platform.ts';
import { BackupError } from './backup-error.ts';
import { selectSequences, selectTables } from './catalog.queries.ts';
import { copyDocuments } from './document-copies.ts';
import { writeDurably } from './durable-file.ts';
import { holdLock } from './held-lock.ts';
import { MANIFEST, type Manifest, SUMS, type Sums, type TableCopy, tableFile } from './manifest.ts';
import { COPY_SETTINGS, copyTableTo } from './table-copies.ts';
import { isOurVersion, verifyBackup } from './verification.ts';

/**
 * Makes a backup while the server is running: a snapshot of the whole database and every document's file, as a folder
 * of plain files (docs/decisions/0018-backup.md).
 */

/**
 * Makes a backup in a new folder, which appears only once it is complete and verified. Throws {@link BackupError}. The
 * manifest's `lost` lists files that were missing already.
 */
export async function makeBackup(platform: Platform, folder: string): Promise<Manifest> {
  const target = resolve(folder);
  if (await isThere(target)) throw new BackupError(`${target} already exists: name a new folder.`);
  // We lock before the snapshot, so that the snapshot has no document whose file is already removed.
  const lock = await holdLock(platform.pool, BACKUP_LOCK, 'another backup is being made: wait for its end.');
  try {
    let manifest: Manifest | undefined;
    const isNew = await createWhole(target, async (unfinished) => {
      await withSnapshot(platform, (snapshot) => fill(platform, snapshot, unfinished));
      await lock.check(); // without the lock a document may have been removed in the meantime
      ({ manifest } = await verifyBackup(unfinished));
    }).catch((error: unknown) => {
      throw explainDiskError(error, target);
    });
    if (!isNew || manifest === undefined) throw new BackupError(`${target} already exists: name a new folder.`);
    return manifest;
  } finally {
    await lock.release();
  }
}

/** Whether there is anything at a path. */
export async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Describes a disk error for a target that could not be written. */
export function explainDiskError(error: unknown, target: string): unknown {
  const code = codeOf(error);
  if (code === 'ENOENT') return new BackupError(`${dirname(target)} does not exist: create that folder first.`);
  if (code === 'ENOSPC' || code === 'EDQUOT') return new BackupError(`there is no space left beside ${target}.`);
  if (code === 'EACCES' || code === 'EROFS') return new BackupError(`${dirname(target)} is not writable.`);
  return error;
}

/** A snapshot of the database, for the duration of the backup. */
interface Snapshot {
  readonly client: Client;
  readonly db: Change;
}

async function withSnapshot(platform: Platform, work: (snapshot: Snapshot) => Promise<void>): Promise<void> {
  const client = await platform.pool.connectAlone();
  try {
    await transactOn(
      client,
      async (db) => {
        for (const setting of COPY_SETTINGS) await client.query(setting);
        await work({ client, db });
      },
      { isolation: 'repeatable read, read only' },
    );
  } finally {
    await client.end(); // the connection has the backup's settings, so nobody else may use it
  }
}

async function fill(platform: Platform, { client, db }: Snapshot, folder: string): Promise<void> {
  const migrations = (await selectApplied(db)).map(({ name }) => name);
  if (migrations.length === 0) throw new BackupError('there is nothing to back up: the database is empty.');
  const { rows: now } = await sql<{ at: Date }>`select now() as at`.execute(db);
  await mkdir(join(folder, 'tables'), { mode: 0o700 });
  const tables: TableCopy[] = [];
  for (const table of await selectTables(db)) {
    const copied = await copyTableTo(client, table, join(folder, tableFile(table.name)));
    tables.push({ name: table.name, columns: [...table.columns], ...copied });
  }
  await syncFolder(join(folder, 'tables'));
  const documents = await copyDocuments(platform, db, folder);
  await writeManifest(platform, folder, {
    format: 1,
    kasente: `${appVersion}+${appCommit}`,
    madeAt: (now[0]?.at ?? platform.clock.now()).toISOString(),
    migrations,
    schema: await describe(db, migrations),
    tables,
    // After the rows: sequence numbers drawn in between are skipped after a restore.
    sequences: await selectSequences(db),
    documents: documents.list,
    lost: documents.lost,
  });
}

/**
 * Compares the schema only if this version knows what to expect, because it may back up an older one. Additions by the
 * operator, such as an index, don't count as differences.
 */
async function describe(db: Change, migrations: readonly string[]): Promise<NonNullable<Manifest['schema']>> {
  const schema = await describeSchema(db);
  const { missing, altered } = compareSchemas(isOurVersion(migrations) ? expectedSchema : schema, schema);
  return { fingerprint: fingerprint(schema), differs: [...missing, ...altered].sort() };
}

async function writeManifest({ sealer }: Platform, folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  const sums: Sums = {
    sha256: createHash('sha256').update(text).digest('hex'),
    seal: sealer.digest(text).toString('hex'),
  };
  await writeDurably(join(folder, MANIFEST), [text]);
  await writeDurably(join(folder, SUMS), [`${JSON.stringify(sums)}\n`]);
  await syncFolder(folder);
}
