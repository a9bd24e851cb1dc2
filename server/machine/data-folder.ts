import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { codeOf } from './error-codes.ts';

/** The folder for documents in a data folder, used unless STORAGE_URL names another store. */
export function documentsFolder(dataDir: string): string {
  return join(resolve(dataDir), 'documents');
}

/** Creates the data folder and its parents if missing. Rejects with the system's error. */
export async function makeDataFolder(folder: string): Promise<void> {
  const isNew = await make(folder);
  // Independent of root's umask: PostgreSQL's user must be able to enter; others need no read access.
  if (isNew && process.getuid?.() === 0) await chmod(folder, 0o711);
}

/**
 * Creates a folder, and returns whether it was missing. We create one folder at a time, because Node's recursive
 * `mkdir` loops forever on a file system that allows no folders, such as /proc.
 */
async function make(folder: string, mayLackParent = true): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return false;
    if (code !== 'ENOENT' || !mayLackParent) throw error;
  }
  await make(dirname(folder));
  return make(folder, false);
}
