import { constants } from 'node:fs';
import { access, mkdir, open, opendir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { syncFolder } from './atomic-folder.ts';
import type { FileStorage } from './file-storage.ts';
import { INBOX } from './inbox.ts';

/** Files below a folder of the disk, readable by this user alone. */
export function createDiskStorage(folder: string): FileStorage {
  const pathOf = (key: string): string => join(folder, ...key.split('/'));
  return {
    put: async (received, key) => {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await syncFile(received.path);
      await rename(received.path, path);
      // The file's entry in its folder and that folder's own, which another upload may have made a moment ago, and so on
      // up to the store's.
      for (const above of foldersAbove(folder, path)) await syncFolder(above);
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
      await rm(pathOf(key), { force: true });
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

/** The folders from the one that holds the file up to the one that holds the store. */
function foldersAbove(root: string, path: string): string[] {
  const folders = [dirname(root), root];
  for (const name of relative(root, dirname(path)).split(sep)) folders.push(join(folders.at(-1) ?? root, name));
  return folders.reverse();
}

/** Has the disk write a file down, so that a power cut does not undo it. */
async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
