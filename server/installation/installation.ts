import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Connection } from '#server/db/database.ts';
import { unlessAbsent } from '#server/files/file-storage.ts';
import { type FileStore, STORE_MARK } from '#server/files/files.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Sealer } from '#server/secrets/sealer.ts';
import { StartError } from './connect.ts';

/**
 * Ensures that database, store and secret belong together. The database's only row of `installation` has the tag of the
 * store's mark, and a check value of the secret. The first start writes both
 * (docs/decisions/0036-settings-and-tools.md).
 */

/** How many of the newest documents are used to recognise a store. */
const ASKED_FOR = 20;
const LOOK_AGAIN_MS = 10_000;

/** The text for the check value. Never change it. */
const CHECKED = 'kasente installation';

interface Installation {
  readonly tag: string;
  readonly secret_check: Buffer;
}

/** A database's installation; undefined before its first start with this version. */
export async function findInstallation(db: Connection): Promise<Installation | undefined> {
  if (!(await hasTable(db, 'installation'))) return undefined;
  return db.selectFrom('installation').select(['tag', 'secret_check']).executeTakeFirst();
}

async function hasTable(db: Connection, name: string): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass(${name}) is not null as there`.execute(db);
  return rows[0]?.there === true;
}

/**
 * Throws {@link StartError} if neither the secret nor the previous one is the secret that the database was filled with,
 * unless `lost` is the value in the error message (SECRET_KEY_LOST). Changes nothing.
 */
export async function refuseAnotherSecret(db: Connection, sealer: Sealer, lost: string | undefined): Promise<void> {
  await checkedInstallation(db, sealer, lost);
}

/** Checks the secret, and returns the installation, if any. */
async function checkedInstallation(
  db: Connection,
  sealer: Sealer,
  lost: string | undefined,
): Promise<Installation | undefined> {
  const found = await findInstallation(db);
  const witness = await otherSecretsWitness(db, sealer, found);
  if (witness === undefined) return found;
  const code = createHash('sha256').update(witness).digest('hex').slice(0, 8);
  if (lost === code) return found;
  throw new StartError(
    `SECRET_KEY (or secret.key in the data folder) is not the secret that this database was filled with. Set that one; where it was changed, set the one before as SECRET_KEY_PREVIOUS; where it is lost for good, start once with SECRET_KEY_LOST=${code}, and second factors have to be reset. Nothing was changed.`,
  );
}

/** Values sealed with a secret, if the database has some and none of them with this secret. */
async function otherSecretsWitness(
  db: Connection,
  sealer: Sealer,
  found: Installation | undefined,
): Promise<Buffer | undefined> {
  if (found !== undefined) {
    const isOurs = sealer.digests(CHECKED).some((digest) => digest.equals(found.secret_check));
    return isOurs ? undefined : found.secret_check;
  }
  // Filled by a version without a check value: the second factors decide.
  if (!(await hasTable(db, 'second_factors'))) return undefined;
  const { rows } = await sql<{ secret: Buffer }>`
    select secret from second_factors order by 1 limit ${ASKED_FOR}`.execute(db);
  return rows.some(({ secret }) => canUnseal(sealer, secret)) ? undefined : rows[0]?.secret;
}

function canUnseal(sealer: Sealer, sealed: Buffer): boolean {
  try {
    sealer.unseal(sealed);
    return true;
  } catch {
    return false;
  }
}

type Joined = Pick<Platform, 'config' | 'db' | 'files' | 'sealer' | 'log'>;

/**
 * Checks at each start that database, store and secret belong together, and marks new ones. Throws {@link StartError}
 * for another database's store. An unreachable store is checked again until it replies; if it turns out to be another
 * database's, `onForeign` gets the error. Returns a function that ends these checks.
 */
export async function joinInstallation(
  platform: Joined,
  onForeign: (error: Error) => void,
  lookAgainMs = LOOK_AGAIN_MS,
): Promise<() => void> {
  const { log } = platform;
  const joined = await joinDatabase(platform);
  const join = (): Promise<void> => joinStore(platform, joined);
  try {
    await join();
    return () => undefined;
  } catch (error) {
    if (error instanceof StartError) throw error;
    log.error({ err: error }, 'the store is unreachable: whether it belongs to this database will be checked again');
  }
  const timer = setInterval(() => {
    join().then(
      () => clearInterval(timer),
      (error: unknown) => {
        if (!(error instanceof StartError)) return;
        clearInterval(timer);
        onForeign(error);
      },
    );
  }, lookAgainMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Returns the database's tag, and whether it had one. Updates the check value of a previous or lost secret. */
async function joinDatabase({ db, sealer, config }: Joined): Promise<{ tag: string; isMarked: boolean }> {
  const before = await checkedInstallation(db, sealer, config.secretKeyLost);
  const secret_check = sealer.digest(CHECKED);
  if (before === undefined) {
    await db
      .insertInto('installation')
      .values({ tag: randomUUID(), secret_check })
      .onConflict((conflict) => conflict.column('only_one').doNothing())
      .execute();
  } else if (!before.secret_check.equals(secret_check)) {
    await db
      .updateTable('installation')
      .set({ secret_check })
      .where('secret_check', '=', before.secret_check)
      .execute();
  }
  // A concurrent start with another secret may have been first.
  const now = await checkedInstallation(db, sealer, undefined);
  if (now === undefined) throw new Error('the row of this installation is gone');
  return { tag: now.tag, isMarked: before !== undefined };
}

/** Throws {@link StartError} if the store is another database's. Command-line tools don't mark stores. */
export async function refuseForeignStore({ db, files }: Pick<Platform, 'db' | 'files'>): Promise<void> {
  const found = await findInstallation(db);
  const mark = await files.readMark();
  if (found === undefined || mark === undefined || mark === found.tag) return;
  throw foreign(found.tag, 'its mark belongs to another one');
}

/**
 * Like {@link refuseForeignStore}, before deleting or restoring documents: an unmarked store must be known to be this
 * database's. Returns the tag of both, if any.
 */
export async function refuseUnknownStore({ db, files }: Pick<Platform, 'db' | 'files'>): Promise<string | undefined> {
  await refuseForeignStore({ db, files });
  const found = await findInstallation(db);
  if (found !== undefined || (await files.readMark()) === undefined) return found?.tag;
  throw new StartError(
    `the document store does not belong to this database: its mark belongs to another one, and this database knows of none. Name an empty one with STORAGE_URL (or DATA_DIR).`,
  );
}

async function joinStore(
  { db, files }: Joined,
  { tag, isMarked }: { readonly tag: string; readonly isMarked: boolean },
): Promise<void> {
  const mark = await files.readMark();
  if (mark === tag) return;
  if (mark !== undefined && isMarked) throw foreign(tag, 'its mark belongs to another one');
  const keys = await selectNewestKeys(db);
  const isOurs = keys.length === 0 ? mark === undefined && (await isEmpty(files)) : await holdsOne(files, keys);
  if (!isOurs) {
    const why = keys.length === 0 ? 'it holds those of another one' : 'it has none of the newest documents';
    throw foreign(tag, why);
  }
  // The database was restored from before it had a tag.
  if (mark !== undefined) await db.updateTable('installation').set({ tag: mark }).execute();
  else await files.writeMark(tag);
}

function foreign(tag: string, why: string): StartError {
  return new StartError(
    `the document store does not belong to this database: ${why}. Name the right one with STORAGE_URL (or DATA_DIR); where it is right all the same, put a file ${STORE_MARK} that says ${tag} into it.`,
  );
}

async function selectNewestKeys(db: Connection): Promise<string[]> {
  const rows = await db.selectFrom('documents').select('storage_key').orderBy('id', 'desc').limit(ASKED_FOR).execute();
  return rows.map(({ storage_key }) => storage_key);
}

async function isEmpty(files: Pick<FileStore, 'list'>): Promise<boolean> {
  for await (const _ of files.list()) return false;
  return true;
}

/** Whether the store has any of these. Throws if it doesn't reply. */
async function holdsOne(files: Pick<FileStore, 'read'>, keys: readonly string[]): Promise<boolean> {
  for (const key of keys) {
    const stored = await files.read(key).catch(unlessAbsent);
    stored?.content.destroy();
    if (stored !== undefined) return true;
  }
  return false;
}

/**
 * Whether a restore may use the store: it has no mark, or has some of these documents, or `isTrusted` is set. Changes
 * nothing.
 */
export async function mayRestoreInto(files: FileStore, keys: readonly string[], isTrusted: boolean): Promise<boolean> {
  return isTrusted || (await files.readMark()) === undefined || (await holdsOne(files, keys.slice(0, ASKED_FOR)));
}

/**
 * For a restore, before its commit: returns the tag for store and restored database. A marked store keeps its tag; any
 * other gets a new one, because the original may continue elsewhere.
 */
export async function markForRestore(files: FileStore): Promise<string> {
  const mark = await files.readMark();
  if (mark !== undefined) return mark;
  const tag = randomUUID();
  await files.writeMark(tag);
  return tag;
}

/**
 * For a restore, in its transaction: gives the database that tag, and the current secret's check value unless it has it
 * already.
 */
export async function settleInstallation(db: Connection, sealer: Sealer, tag: string): Promise<void> {
  const found = await findInstallation(db);
  const known = found !== undefined && sealer.digests(CHECKED).some((digest) => digest.equals(found.secret_check));
  const secret_check = known ? found.secret_check : sealer.digest(CHECKED);
  await db.deleteFrom('installation').execute();
  await db.insertInto('installation').values({ tag, secret_check }).execute();
}
