import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf, unlessCode } from './error-codes.ts';

/**
 * Creates a folder that appears whole or not at all: `fill` fills it under another name beside `place`, and then it is
 * renamed durably. Returns false if another process created it first. A half-filled folder of a killed process is
 * removed by the next one.
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
      await rm(join(dirname(place), name), { recursive: true, force: true, maxRetries: 5 }); // its initdb may still run
    }
  }
}

/** Whether a process with this id exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Makes a folder's entries survive a power cut. Does nothing on file systems that do not support this. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync().catch(unlessCode('EINVAL', 'ENOTSUP'));
  } finally {
    await handle.close();
  }
}
