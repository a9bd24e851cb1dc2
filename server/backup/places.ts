import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { openObject } from '#server/files/files-on-s3.ts';
import { syncFolder } from '#server/machine/atomic-folder.ts';
import type { Platform } from '#server/platform/platform.ts';
import { explainDiskError, isThere, makeBackup } from './backup.service.ts';
import { BackupError } from './backup-error.ts';
import { writeDurably } from './durable-file.ts';
import { decryptInto, encryptFolder } from './encryption.ts';
import type { Manifest } from './manifest.ts';

/** The location of a backup: a plain folder, or an encrypted archive in a file or a bucket. */
export type BackupPlace = PlainFolder | EncryptedArchive;

interface PlainFolder {
  readonly kind: 'folder';
  readonly path: string;
}

type EncryptedArchive =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'bucket'; readonly url: URL };

const ENCRYPTED = '.tar.age';

/** Parses a location that an operator entered. Throws {@link BackupError}. */
export function readPlace(named: string): BackupPlace {
  if (!/^s3:/i.test(named)) return { kind: named.endsWith(ENCRYPTED) ? 'file' : 'folder', path: resolve(named) };
  const url = URL.canParse(named) ? new URL(named) : undefined;
  if (url === undefined || url.hostname === '' || !url.pathname.endsWith(ENCRYPTED))
    throw new BackupError(
      `a backup in a bucket has an address such as s3://bucket/2026-11-20${ENCRYPTED}?region=af-south-1, with user and password encoded.`,
    );
  return { kind: 'bucket', url };
}

/** Describes a location for people and the audit log, without credentials. */
export function describePlace(place: BackupPlace): string {
  return place.kind === 'bucket' ? `s3://${place.url.hostname}${place.url.pathname}` : place.path;
}

/**
 * Makes a backup in a new location, where it appears only once it is complete and verified. An encrypted backup is read
 * back and compared; until then, its plain folder is in the system's temporary folder. Throws {@link BackupError}.
 */
export async function makeBackupIn(
  platform: Platform,
  place: BackupPlace,
  recipients: readonly string[],
): Promise<Manifest> {
  if (place.kind === 'folder') return makeBackup(platform, place.path);
  if (recipients.length === 0)
    throw new BackupError(
      'an encrypted backup needs BACKUP_RECIPIENTS: `npm run backup -- --new-key <file>` makes a key and prints its recipient.',
    );
  const archive = archiveAt(place);
  if (await archive.exists()) throw new BackupError(`${describePlace(place)} already exists: name a new one.`);
  return inTemporaryFolder(async (folder) => {
    const plain = join(folder, 'backup');
    const manifest = await makeBackup(platform, plain);
    await archive.write(await encryptFolder(plain, recipients));
    return manifest;
  });
}

/**
 * Passes the plain folder of a backup to `work`, decrypted with these keys if it is encrypted. Throws {@link
 * BackupError}.
 */
export async function withPlainBackup<Result>(
  place: BackupPlace,
  keys: readonly string[],
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  if (place.kind === 'folder') return work(place.path);
  if (keys.length === 0) throw new BackupError('it is encrypted: name the file of its key with --key <file>.');
  return inTemporaryFolder(async (folder) => {
    await decryptInto(folder, await archiveAt(place).read(), keys);
    return work(folder);
  });
}

/** One encrypted archive. */
interface Archive {
  exists(): Promise<boolean>;
  read(): Promise<Readable>;
  /** Writes the archive, which appears only once it is complete and was read back. Throws {@link BackupError}. */
  write(content: Readable): Promise<void>;
}

function archiveAt(place: EncryptedArchive): Archive {
  return place.kind === 'file' ? archiveInFile(place.path) : archiveInBucket(place);
}

function archiveInFile(path: string): Archive {
  return {
    exists: () => isThere(path),
    read: async () => createReadStream(path),
    write: async (content) => {
      const unfinished = `${path}.unfinished`;
      try {
        await rm(unfinished, { force: true });
        const { sha256 } = await writeDurably(unfinished, content);
        await refuseOther(sha256, createReadStream(unfinished));
        await link(unfinished, path); // never over another file
        await syncFolder(dirname(path));
      } catch (error) {
        throw explainDiskError(error, path);
      } finally {
        await rm(unfinished, { force: true });
      }
    },
  };
}

function archiveInBucket(place: EncryptedArchive & { readonly kind: 'bucket' }): Archive {
  const object = openObject(place.url);
  const explained = (error: unknown): never => {
    if (error instanceof BackupError) throw error;
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new BackupError(`${describePlace(place)} cannot be used (${why}).`);
  };
  return {
    exists: () => object.exists().catch(explained),
    read: () => object.read().catch(explained),
    write: async (content) => {
      const hash = createHash('sha256');
      const measured = new PassThrough();
      content.on('data', (chunk: Buffer) => hash.update(chunk));
      content.on('error', (error) => measured.destroy(error));
      await object.write(content.pipe(measured)).catch(explained);
      const same = object.read().then((stored) => refuseOther(hash.digest('hex'), stored));
      await same.catch(async (error: unknown) => {
        await object.remove().catch(() => undefined);
        explained(error);
      });
    },
  };
}

async function refuseOther(sha256: string, content: Readable): Promise<void> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  if (hash.digest('hex') !== sha256) throw new BackupError('reading it back gave other content: nothing was stored.');
}

async function inTemporaryFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'kasente-backup-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
