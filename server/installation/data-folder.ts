import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Where a data folder keeps documents, unless STORAGE_URL names another store. */
export function documentsFolder(dataDir: string): string {
  return join(resolve(dataDir), 'documents');
}

/**
 * Makes the data folder, and those above it, where they are missing. Rejects with the system's error where that cannot
 * be.
 */
export async function makeDataFolder(folder: string): Promise<void> {
  const isNew = await make(folder);
  // Whatever root's umask says: PostgreSQL's user must get through, and nobody needs to look around.
  if (isNew && process.getuid?.() === 0) await chmod(folder, 0o711);
}

/**
 * Returns whether it was missing. One folder after the other: Node's recursive `mkdir` tries for ever where a file
 * system makes none, such as /proc.
 */
async function make(folder: string, mayLackParent = true): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return false;
    if (code !== 'ENOENT' || !mayLackParent) throw error;
  }
  await make(dirname(folder));
  return make(folder, false);
}
