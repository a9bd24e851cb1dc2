import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf, unlessCode } from './error-codes.ts';

/**
 * Makes a folder that appears whole or not at all: `fill` fills it under another name beside its place, then it is
 * renamed, durably. False if another process put its own there first. The next process removes what a killed one left
 * half filled.
 */
export async function createWhole(place: string, fill: (folder: string) => Promise<void>): Promise<boolean> {
  await removeLeftovers(place);
  const unfinished = `${place}.${process.pid}.${randomBytes(4).toString('hex')}.unfinished`;
  try {
    await mkdir(unfinished, { mode: 0o700 });
    await fill(unfinished);
    await rename(unfinished, place);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) return false;
    throw error;
  }
  await syncFolder(dirname(place));
  return true;
}

async function removeLeftovers(place: string): Promise<void> {
  for (const name of await readdir(dirname(place))) {
    const pid = name.startsWith(`${basename(place)}.`)
      ? /\.(\d+)\.[0-9a-f]{8}\.unfinished$/.exec(name)?.[1]
      : undefined;
    if (pid !== undefined && !isAlive(Number(pid))) {
      await rm(join(dirname(place), name), { recursive: true, force: true, maxRetries: 5 }); // its initdb may be dying still
    }
  }
}

/** Whether a process of this number exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Makes a folder's entries survive a power cut; some file systems refuse to be asked, which is their answer. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync().catch(unlessCode('EINVAL', 'ENOTSUP'));
  } finally {
    await handle.close();
  }
}
