import { constants } from 'node:fs';
import { access, mkdir, open, opendir, rename, unlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { syncFolder } from '#server/machine/atomic-folder.ts';
import { type FileStorage, unlessAbsent } from './file-storage.ts';
import { INBOX } from './inbox.ts';

/** Files in a folder, readable only by the server's user. */
export function createDiskStorage(folder: string): FileStorage {
  const pathOf = (key: string): string => join(folder, ...key.split('/'));
  /** The folders between the store and its files that are known to be durable. The server adds one a month. */
  const durable = new Set<string>();
  return {
    put: async (received, key) => {
      const path = pathOf(key);
      const own = dirname(path);
      if ((await mkdir(own, { recursive: true, mode: 0o700 })) !== undefined) durable.delete(own);
      await syncFile(received.path);
      await rename(received.path, path);
      // Syncs the folder that contains the file's entry. The first time, also syncs that folder's own entry, which
      // another upload may just have created, and so on up to the store's.
      for (const above of durable.has(own) ? [own] : foldersAbove(folder, path)) await syncFolder(above);
      durable.add(own);
    },
    read: async (key) => {
      const handle = await open(pathOf(key), 'r');
      try {
        const { size } = await handle.stat();
        return { size, content: handle.createReadStream() };
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
    remove: async (key) => {
      await unlink(pathOf(key)).catch(unlessAbsent);
    },
    list: () => listBelow(folder),
    check: () => access(folder, constants.W_OK | constants.X_OK),
  };
}

async function* listBelow(folder: string): AsyncGenerator<string> {
  const inbox = join(folder, INBOX);
  for await (const entry of await opendir(folder, { recursive: true })) {
    const isReceived = entry.parentPath === inbox;
    if (entry.isFile() && !isReceived) yield relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/');
  }
}

/** The folders from the file's own up to the store's. */
function foldersAbove(root: string, path: string): string[] {
  const folders = [dirname(root), root];
  for (const name of relative(root, dirname(path)).split(sep)) folders.push(join(folders.at(-1) ?? root, name));
  return folders.reverse();
}

/** Flushes a file to the disk. */
async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
