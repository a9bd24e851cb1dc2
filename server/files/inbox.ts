import { createHash, randomBytes } from 'node:crypto';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { access, type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** How much of either end of a file is at hand for whoever judges what it is. */
const END_BYTES = 4096;

/** The inbox's folder in the store's. */
export const INBOX = 'inbox';

/** A file that has arrived on this machine's disk and is not in the store yet. */
export interface ReceivedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: Buffer;
  /** Its first 4 kB. */
  readonly head: Buffer;
  /** Its last 4 kB. */
  readonly tail: Buffer;
}

/** Where files arrive, before they are put into the store. */
export interface Inbox {
  receive(content: AsyncIterable<Buffer>): Promise<ReceivedFile>;
  forget(received: ReceivedFile): Promise<void>;
  sweep(before: Date): Promise<void>;
  check(): Promise<void>;
}

/** Opens the inbox of a store's folder, making both where they are missing, closed to other users. Throws what the disk answers. */
export function openInbox(storeFolder: string): Inbox {
  const folder = join(storeFolder, INBOX);
  // The folder above is not ours alone: the embedded database, which may run as another user, lies there too.
  mkdirSync(dirname(storeFolder), { recursive: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const path of [storeFolder, folder]) accessSync(path, constants.W_OK | constants.X_OK);
  return {
    receive: (content) => receiveInto(join(folder, randomBytes(16).toString('hex')), content),
    forget: ({ path }) => rm(path, { force: true }),
    sweep: (before) => sweepFolder(folder, before),
    check: () => access(folder, constants.W_OK | constants.X_OK),
  };
}

/** The inbox of a store that is only read. */
export const closedInbox: Inbox = {
  receive: () => Promise.reject(new Error('the store was opened to be read')),
  forget: () => Promise.resolve(),
  sweep: () => Promise.resolve(),
  check: () => Promise.resolve(),
};

async function receiveInto(path: string, content: AsyncIterable<Buffer>): Promise<ReceivedFile> {
  const handle = await open(path, 'wx', 0o600);
  try {
    return { path, ...(await copyInto(handle, content)) };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** One chunk at a time: a slow disk slows the sender, and memory holds no more than a chunk and the two ends. */
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
    const found = await stat(path).catch(() => undefined); // kept or forgotten in the meantime
    if (found !== undefined && found.mtime < before) await rm(path, { force: true });
  }
}
