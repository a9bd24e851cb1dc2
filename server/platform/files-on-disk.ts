import { constants } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { FileStorage } from '#server/platform/file-storage.ts';

/** Files below a folder of the disk, readable by this user alone. */
export function createDiskStorage(folder: string): FileStorage {
  const pathOf = (key: string): string => join(folder, ...key.split('/'));
  return {
    put: async (received, key) => {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await syncPath(received.path);
      await rename(received.path, path);
      // The file's entry in its folder, and that folder's own: another upload may have made it a moment ago.
      for (const above of foldersAbove(folder, path)) await syncPath(above);
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
    check: () => access(folder, constants.W_OK | constants.X_OK),
  };
}

/** The folders from the one that holds the file up to the root of the store. */
function foldersAbove(root: string, path: string): string[] {
  const names = relative(root, dirname(path)).split(sep);
  return [...names.map((_, depth) => join(root, ...names.slice(0, names.length - depth))), root];
}

/** Has the disk write down a file or a folder's entries, so that a power cut does not undo them. */
async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
