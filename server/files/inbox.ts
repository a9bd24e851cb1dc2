import { createHash, randomBytes } from 'node:crypto';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { access, type FileHandle, open, readdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unlessAbsent } from './file-storage.ts';

/** How much of each end of a file is held in memory to detect its type. */
const END_BYTES = 4096;

/** The inbox's folder inside the store's. */
export const INBOX = 'inbox';

/** A received file on this machine's disk, not yet in the store. */
export interface ReceivedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: Buffer;
  /** Its first 4 kB. */
  readonly head: Buffer;
  /** Its last 4 kB. */
  readonly tail: Buffer;
}

/** Receives files before they are stored. */
export interface Inbox {
  receive(content: AsyncIterable<Buffer>): Promise<ReceivedFile>;
  forget(received: ReceivedFile): Promise<void>;
  sweep(before: Date): Promise<void>;
  check(): Promise<void>;
}

/**
 * Opens a store's inbox. Creates both folders if they are missing, inaccessible to other users. Throws the disk's
 * errors.
 */
export function openInbox(storeFolder: string): Inbox {
  const folder = join(storeFolder, INBOX);
  // The parent folder is shared: the embedded database, perhaps another user's, is in it, too.
  mkdirSync(dirname(storeFolder), { recursive: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const path of [storeFolder, folder]) accessSync(path, constants.W_OK | constants.X_OK);
  return {
    receive: (content) => receiveInto(join(folder, randomBytes(16).toString('hex')), content),
    forget: ({ path }) => remove(path),
    sweep: (before) => sweepFolder(folder, before),
    check: () => access(folder, constants.W_OK | constants.X_OK),
  };
}

/** The inbox of a read-only store. */
export const closedInbox: Inbox = {
  receive: () => Promise.reject(new Error('the store was opened read-only')),
  forget: () => Promise.resolve(),
  sweep: () => Promise.resolve(),
  check: () => Promise.resolve(),
};

async function receiveInto(path: string, content: AsyncIterable<Buffer>): Promise<ReceivedFile> {
  const handle = await open(path, 'wx', 0o600);
  try {
    return { path, ...(await copyInto(handle, content)) };
  } catch (error) {
    await remove(path);
    throw error;
  } finally {
    await handle.close();
  }
}

/** One chunk at a time: a slow disk slows the sender, and memory only holds one chunk and the two ends. */
async function copyInto(handle: FileHandle, content: AsyncIterable<Buffer>): Promise<Omit<ReceivedFile, 'path'>> {
  const hash = createHash('sha256');
  let size = 0;
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  for await (const chunk of content) {
    await handle.writeFile(chunk);
    hash.update(chunk);
    size += chunk.length;
    if (head.length < END_BYTES) head = Buffer.concat([head, chunk.subarray(0, END_BYTES - head.length)]);
    tail = Buffer.concat([tail, chunk.subarray(-END_BYTES)]).subarray(-END_BYTES);
  }
  return { size, sha256: hash.digest(), head, tail };
}

async function sweepFolder(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined); // stored or deleted in the meantime
    if (found !== undefined && found.mtime < before) await remove(path);
  }
}

/**
 * Removes a file; a missing one is not an error. Not with `rm`, whose lookup of the file runs on the thread that serves
 * requests.
 */
function remove(path: string): Promise<void> {
  return unlink(path).catch(unlessAbsent);
}
