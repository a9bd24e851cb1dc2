import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ConfigError } from '#server/config/config.ts';
import { isAbsence, type StoredFile } from './file-storage.ts';
import { createDiskStorage } from './files-on-disk.ts';
import { closedInbox, openInbox, type ReceivedFile } from './inbox.ts';

/** The file of a store that says whose it is. */
export const STORE_MARK = 'installation.txt';

/**
 * Where documents are kept, by keys that the server chooses. What comes in over the network is first received into an
 * inbox on this machine's disk, so that the store sees only whole files of a known size that somebody has judged.
 */
export interface FileStore {
  /** Receives content into the inbox, a chunk at a time in memory; nothing stays behind where it fails. */
  receive(content: AsyncIterable<Buffer>): Promise<ReceivedFile>;
  /** Puts a received file into the store under that key; once this returns it survives a power cut. */
  keep(received: ReceivedFile, key: string): Promise<void>;
  /** Lets go of a received file; does nothing to what is kept. */
  forget(received: ReceivedFile): Promise<void>;
  /** Receives and keeps content that needs no judging. */
  write(key: string, content: AsyncIterable<Buffer>): Promise<void>;
  /** Throws where there is no such file or it cannot be read. */
  read(key: string): Promise<StoredFile>;
  /** Removes a file; one that is not there is no error. */
  remove(key: string): Promise<void>;
  /** The keys of everything that is kept, in any order; what comes or goes meanwhile may be among them or not. */
  list(): AsyncIterable<string>;
  /** Whose documents the store says that it holds (installation/installation.ts); undefined where it says nothing. */
  readMark(): Promise<string | undefined>;
  writeMark(mark: string): Promise<void>;
  /** Removes what a killed process left in this machine's inbox, last written to before that time. */
  sweepInbox(before: Date): Promise<void>;
  /** Throws where the store cannot be reached or written to; cheap enough to be asked every second. */
  check(): Promise<void>;
  /** How often each of these failed since the start. A file that is not there, and a sender who breaks off, are no failures. */
  errors(): Readonly<Record<StoreOperation, number>>;
}

export type StoreOperation = 'receive' | 'keep' | 'read' | 'remove' | 'check';

/**
 * Opens the store that `STORAGE_URL` names (`s3://bucket/prefix?region=…&endpoint=…`), or a folder of the disk, which
 * also holds the inbox of both. Throws {@link ConfigError} where that folder cannot be written to. One that `isReadOnly` makes no
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
  const keep: FileStore['keep'] = (received, key) =>
    counting('keep', async () => {
      await storage.put(received, checkedKey(key));
      await inbox.forget(received);
    });
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
      const stored = await storage.read(STORE_MARK).catch((error: unknown) => {
        if (isAbsence(error)) return undefined;
        throw error;
      });
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

/** What a disk says of itself; anything else that ends the receiving of a file is its sender's. */
const DISK_FAULTS: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', 'ENOENT'];

function isFailureOf(operation: StoreOperation, error: unknown): boolean {
  if (operation === 'read') return !isAbsence(error);
  return operation !== 'receive' || (error instanceof Error && 'code' in error && DISK_FAULTS.includes(error.code));
}

async function* documentsAmong(keys: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const key of keys) if (key !== STORE_MARK) yield key;
}

/** The client of S3 is large, and loaded only where there is a bucket (docs/decisions/0028-benches.md). */
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

/** Keys are chosen by the server; one that could lead out of the store is a fault and goes no further. */
function checkedKey(key: string): string {
  if (!/^[a-z\d][a-z\d-]*(\/[a-z\d][a-z\d-]*)*(\.[a-z\d]+)?$/.test(key)) throw new Error(`not a storage key: ${key}`);
  return key;
}
