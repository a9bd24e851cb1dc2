import { join, resolve } from 'node:path';
import { sql } from 'kysely';
import type { Client } from 'pg';
import { type Verification, verifyAudit } from '#server/audit/audit.service.ts';
import { type Change, transactOn } from '#server/db/transaction.ts';
import { auditStore, type StoreAudit } from '#server/documents/store/store-audit.service.ts';
import { describeStore } from '#server/installation/in-force.ts';
import { markForRestore, mayRestoreInto, settleInstallation } from '#server/installation/installation.ts';
import {
  markUnfinishedRestore,
  unfinishedRestore,
  unmarkUnfinishedRestore,
} from '#server/installation/unfinished-restore.ts';
import { migrate, migrateTo, migrationNames } from '#server/migrations/migrate.ts';
import { sinceBaseline } from '#server/migrations/record.ts';
import type { Platform } from '#server/platform/platform.ts';
import { BackupError } from './backup-error.ts';
import { selectObstacles, selectReferences, selectTables, setSequence, type TableShape } from './catalog.queries.ts';
import { restoreDocuments } from './document-copies.ts';
import { holdLock } from './held-lock.ts';
import { type Manifest, tableFile } from './manifest.ts';
import { type Settled, settleRestored } from './settling.queries.ts';
import { COPY_SETTINGS, copyTableFrom, digestTable } from './table-copies.ts';
import { listDocuments, type VerifiedBackup, verifyBackup } from './verification.ts';

/**
 * Restores a backup into an empty database and a store. The rows appear in one commit, after each table was read back
 * and its digest compared. Until then, a mark in the database prevents servers from starting.
 */

const RESTORE_LOCK = 'kasente restore';

export interface RestoreOptions {
  /** Allows restoring with another secret than the backup's. */
  readonly anotherSecret?: boolean;
  /** Keeps the store's existing files, which must be identical to the backup's. */
  readonly besideDocuments?: boolean;
  /** The backup's name for people, if it isn't the folder's. */
  readonly name?: string;
}

export interface Restored {
  readonly manifest: Manifest;
  readonly settled: Settled;
  readonly audit: Verification;
  readonly store: StoreAudit;
}

/** Throws {@link BackupError} if the restore can't be done, leaving only the mark of an unfinished restore. */
export async function restoreBackup(
  platform: Platform,
  folder: string,
  options: RestoreOptions = {},
): Promise<Restored> {
  const backup = resolve(folder);
  const verified = await verifyBackup(backup);
  refuseForeign(platform, verified, options);
  const taken = 'another restore into this database is under way: wait for its end.';
  const lock = await holdLock(platform.pool, RESTORE_LOCK, taken);
  try {
    const store = describeStore(platform.config);
    const isAgain = await isBegun(platform, store);
    await refuseUnlessEmpty(platform, isAgain || options.besideDocuments === true);
    await refuseForeignStore(platform, backup, { isAgain, ...options });
    await markUnfinishedRestore(platform.db, { backup: options.name ?? backup, store });
    await restoreDocuments(platform, backup);
    const tag = await markForRestore(platform.files);
    const settled = await restoreRows(platform, backup, verified.manifest, tag);
    await migrate(platform.db); // belongs to PostgreSQL as a whole, not to the schema
    const audit = await verifyAudit(platform);
    return { manifest: verified.manifest, settled, audit, store: await auditStore(platform) };
  } finally {
    await lock.release();
  }
}

/** Whether this restore resumes the interrupted one, whose store is trusted. */
async function isBegun({ db }: Platform, store: string): Promise<boolean> {
  const unfinished = await unfinishedRestore(db);
  if (unfinished === undefined || unfinished.store === null) return false;
  if (unfinished.store === store) return true;
  throw new BackupError(
    `this restore was begun with the documents in ${unfinished.store}: name those again, or a new database.`,
  );
}

function refuseForeign({ sealer }: Platform, { manifest, text, seal }: VerifiedBackup, options: RestoreOptions): void {
  const migrations = sinceBaseline(manifest.migrations);
  if (migrations.length === 0) {
    throw new BackupError(
      `it was made by Kasente ${manifest.kasente}: restore it with release 1.1.0, then start this one on that database (docs/upgrading.md).`,
    );
  }
  const newer = migrations.find((name, index) => name !== migrationNames[index]);
  if (newer !== undefined) {
    throw new BackupError(
      `it was made by Kasente ${manifest.kasente}, whose database this version does not know (${newer}): restore it with that version.`,
    );
  }
  if (options.anotherSecret !== true && !sealer.digests(text).some((digest) => digest.toString('hex') === seal)) {
    throw new BackupError(
      'it was made with another secret: set SECRET_KEY, or put the secret.key of the data folder that it is of into this one. Where that secret is lost, --another-secret restores without it; then nobody’s second factor can be read, and the audit log’s anchors cannot be proved.',
    );
  }
}

async function refuseUnlessEmpty({ db, files, config }: Platform, mayHaveFiles: boolean): Promise<void> {
  const obstacles = await selectObstacles(db);
  if (obstacles.length > 0) {
    const way =
      config.databaseUrl === undefined
        ? 'set DATA_DIR to a new folder, or move what is in this one away'
        : 'create a new database and name it with DATABASE_URL';
    throw new BackupError(`the database is not empty (${obstacles.join(', ')}): ${way}.`);
  }
  if (mayHaveFiles) return;
  for await (const key of files.list()) {
    throw new BackupError(
      `the store of documents is not empty (${key}): name an empty one, or leave what is there with --beside-documents.`,
    );
  }
}

/** Throws unless a store whose files are kept is the one with the backup's documents. */
async function refuseForeignStore(
  { files }: Platform,
  backup: string,
  { isAgain, besideDocuments }: RestoreOptions & { readonly isAgain: boolean },
): Promise<void> {
  const keys: string[] = [];
  for await (const { key } of listDocuments(backup)) keys.push(key);
  const isTrusted = isAgain || (besideDocuments === true && keys.length === 0);
  if (await mayRestoreInto(files, keys.reverse(), isTrusted)) return;
  throw new BackupError(
    'the document store belongs to another installation: name an empty one, or this installation’s own.',
  );
}

/** Restores in one transaction: the rows in their own schema, then later migrations. */
async function restoreRows(platform: Platform, backup: string, manifest: Manifest, tag: string): Promise<Settled> {
  const client = await platform.pool.connectAlone();
  try {
    return await transactOn(client, async (change) => {
      for (const setting of COPY_SETTINGS) await client.query(setting);
      await migrateTo(change, manifest.migrations.at(-1));
      await fillTables(change, client, backup, manifest);
      for (const sequence of manifest.sequences) await setSequence(change, sequence);
      await migrateTo(change, undefined);
      const settled = await settleRestored(change);
      await settleInstallation(change, platform.sealer, tag);
      await unmarkUnfinishedRestore(change);
      return settled;
    });
  } finally {
    await client.end(); // the connection has special settings, so nobody else may use it
  }
}

/** Loads without triggers, because they would count, chain and discard a second time. */
async function fillTables(change: Change, client: Client, backup: string, { tables }: Manifest): Promise<void> {
  const shapes = (await selectTables(change)).filter(({ name }) => name !== 'unfinished_restore');
  refuseOthers(
    shapes.map(({ name }) => name),
    tables.map(({ name }) => name),
  );
  for (const { name } of shapes) await sql`alter table ${sql.table(name)} disable trigger user`.execute(change);
  const all = sql.join(shapes.map(({ name }) => sql.table(name)));
  await sql`truncate ${all}`.execute(change); // rows inserted by migrations
  for (const shape of await inOrder(change, shapes)) {
    const copy = tables.find(({ name }) => name === shape.name);
    if (copy === undefined) continue;
    await copyTableFrom(client, copy, join(backup, tableFile(shape.name)));
    const { rows, sha256 } = await digestTable(client, { ...shape, columns: copy.columns });
    if (rows !== copy.rows || sha256 !== copy.sha256) {
      throw new BackupError(`the table ${shape.name} was not restored identically: nothing was restored.`);
    }
  }
  for (const { name } of shapes) await sql`alter table ${sql.table(name)} enable trigger user`.execute(change);
}

function refuseOthers(known: readonly string[], copied: readonly string[]): void {
  const differing = [...known, ...copied].filter((name) => !(known.includes(name) && copied.includes(name)));
  if (differing.length > 0)
    throw new BackupError(`its tables differ from those of its version (${differing.join(', ')}).`);
}

/** Orders tables so that each comes after those that it refers to. */
async function inOrder(change: Change, shapes: readonly TableShape[]): Promise<TableShape[]> {
  const references = await selectReferences(change);
  const waiting = [...shapes];
  const ordered: TableShape[] = [];
  while (waiting.length > 0) {
    const isReady = ({ name }: TableShape): boolean =>
      references.every(({ from, to }) => from !== name || ordered.some((done) => done.name === to));
    const next = waiting.findIndex(isReady);
    if (next === -1) throw new Error(`tables that refer to each other: ${waiting.map(({ name }) => name).join(', ')}`);
    ordered.push(...waiting.splice(next, 1));
  }
  return ordered;
}
