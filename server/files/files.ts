import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ConfigError } from '#server/config/config.ts';
import { isAbsence, type StoredFile, unlessAbsent } from './file-storage.ts';
import { createDiskStorage } from './files-on-disk.ts';
import { closedInbox, openInbox, type ReceivedFile } from './inbox.ts';

/** The file that identifies the installation to which a store belongs. */
export const STORE_MARK = 'installation.txt';

/**
 * The document store. The server chooses the keys. Uploads are first received into an inbox on this machine's disk, so
 * the store only gets complete, checked files of known size.
 */
export interface FileStore {
  /** Receives content into the inbox with one chunk in memory at a time. Leaves nothing behind on failure. */
  receive(content: AsyncIterable<Buffer>): Promise<ReceivedFile>;
  /** Stores a received file durably under that key. The caller must {@link forget} it afterwards. */
  keep(received: ReceivedFile, key: string): Promise<void>;
  /** Deletes a received file from the inbox. Doesn't affect a stored one. */
  forget(received: ReceivedFile): Promise<void>;
  /** Receives and stores content that needs no checks. */
  write(key: string, content: AsyncIterable<Buffer>): Promise<void>;
  /** Throws if the file does not exist or cannot be read. */
  read(key: string): Promise<StoredFile>;
  /** Removes a file; a missing one is not an error. */
  remove(key: string): Promise<void>;
  /** All keys, unordered; concurrent changes may or may not be included. */
  list(): AsyncIterable<string>;
  /** The tag in the store's mark (installation/installation.ts); undefined without a mark. */
  readMark(): Promise<string | undefined>;
  writeMark(mark: string): Promise<void>;
  /** Removes files that a killed process left in this machine's inbox, if they were last written before that time. */
  sweepInbox(before: Date): Promise<void>;
  /** Throws if the store is unreachable or not writable. Cheap enough to call every second. */
  check(): Promise<void>;
  /** Failures of each operation since the start. Missing files and aborted uploads don't count. */
  errors(): Readonly<Record<StoreOperation, number>>;
}

export type StoreOperation = 'receive' | 'keep' | 'read' | 'remove' | 'check';

/**
 * Opens the store at `STORAGE_URL` (`s3://bucket/prefix?region=…&endpoint=…`), or in a folder. The folder also contains
 * the inbox in both cases. Throws {@link ConfigError} if the folder is not writable. With `isReadOnly`, it creates no
 * folder and receives nothing.
 */
export async function openFileStore(
  storageUrl: string | undefined,
  folder: string,
  { isReadOnly = false }: { readonly isReadOnly?: boolean } = {},
): Promise<FileStore> {
  const inbox = isReadOnly ? closedInbox : openOrRefuse(folder);
  const storage = storageUrl === undefined ? createDiskStorage(folder) : await openS3(storageUrl);
  const errors = { receive: 0, keep: 0, read: 0, remove: 0, check: 0 };
  async function counting<Result>(operation: StoreOperation, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (isFailureOf(operation, error)) errors[operation] += 1;
      throw error;
    }
  }
  const keep: FileStore['keep'] = (received, key) => counting('keep', () => storage.put(received, checkedKey(key)));
  const write: FileStore['write'] = async (key, content) => {
    const received = await inbox.receive(content);
    try {
      await keep(received, key);
    } finally {
      await inbox.forget(received);
    }
  };
  return {
    receive: (content) => counting('receive', () => inbox.receive(content)),
    keep,
    forget: (received) => inbox.forget(received),
    write,
    read: (key) => counting('read', async () => storage.read(checkedKey(key))),
    remove: (key) => counting('remove', async () => storage.remove(checkedKey(key))),
    list: () => documentsAmong(storage.list()),
    readMark: async () => {
      const stored = await storage.read(STORE_MARK).catch(unlessAbsent);
      return stored && (await text(stored.content)).trim();
    },
    writeMark: (mark) => write(STORE_MARK, Readable.from([Buffer.from(`${mark}\n`)])),
    sweepInbox: (before) => inbox.sweep(before),
    check: () =>
      counting('check', async () => {
        await Promise.all([inbox.check(), storage.check()]);
      }),
    errors: () => errors,
  };
}

/** Errors of the disk itself; all other errors while receiving come from the sender. */
const DISK_FAULTS: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', 'ENOENT'];

function isFailureOf(operation: StoreOperation, error: unknown): boolean {
  if (operation === 'read') return !isAbsence(error);
  return operation !== 'receive' || (error instanceof Error && 'code' in error && DISK_FAULTS.includes(error.code));
}

async function* documentsAmong(keys: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const key of keys) if (key !== STORE_MARK) yield key;
}

/** The S3 client is large, so it is only loaded for a bucket (docs/decisions/0028-benches.md). */
async function openS3(storageUrl: string) {
  const { createS3Storage } = await import('./files-on-s3.ts');
  return createS3Storage(new URL(storageUrl));
}

function openOrRefuse(folder: string) {
  try {
    return openInbox(folder);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new ConfigError(`DATA_DIR must be a folder that this user may write to; ${folder} is not (${reason}).`);
  }
}

/** The server chooses keys, so a key that could leave the store is a bug, and we refuse it. */
function checkedKey(key: string): string {
  if (!/^[a-z\d][a-z\d-]*(\/[a-z\d][a-z\d-]*)*(\.[a-z\d]+)?$/.test(key)) throw new Error(`not a storage key: ${key}`);
  return key;
}
