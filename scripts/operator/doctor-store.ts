import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { unlessAbsent } from '#server/files/file-storage.ts';
import { type FileStore, openFileStore } from '#server/files/files.ts';
import { INBOX } from '#server/files/inbox.ts';
import { describeStore } from '#server/installation/in-force.ts';
import { refuseForeignStore } from '#server/installation/installation.ts';
import { unlessCode } from '#server/machine/error-codes.ts';
import type { Ground, Seen } from './doctor-checks.ts';

/** Writes, reads and removes a file in the store, and checks that the store belongs to the database. */
export async function lookAtStore({ config, database }: Ground): Promise<Seen> {
  const found = describeStore(config);
  if (config.storageUrl === undefined && !existsSync(found)) {
    return {
      state: 'warning',
      found: `there is no folder ${found} yet`,
      todo: 'the first start makes it, or set DATA_DIR',
    };
  }
  // Content for a bucket is first received in a local folder, here a temporary one.
  const inbox = config.storageUrl === undefined ? undefined : await mkdtemp(join(tmpdir(), 'kasente-doctor-'));
  const isNewInbox = inbox === undefined && !existsSync(join(found, INBOX));
  try {
    const files = await openFileStore(config.storageUrl, inbox ?? found);
    await tryStore(files);
    if (database !== undefined) await refuseForeignStore({ db: database.db, files });
    return { state: 'right', found: `${found}: a file was written, read and removed` };
  } finally {
    if (inbox !== undefined) await rm(inbox, { recursive: true, force: true });
    if (isNewInbox) await removeEmpty(join(found, INBOX));
  }
}

/** Removes the folder, which another user's server could not use if root created it; keeps received files. */
async function removeEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(unlessCode('ENOENT', 'ENOTEMPTY'));
}

async function tryStore(files: FileStore): Promise<void> {
  // The key has no folder, because the store would create one that other users cannot list.
  const [key, content] = [`doctor-${randomBytes(16).toString('hex')}`, randomBytes(1024)];
  await files.write(key, Readable.from([content]));
  try {
    const read = await buffer((await files.read(key)).content);
    if (!read.equals(content)) throw new Error('the store gives back another file than it was given');
  } finally {
    await files.remove(key);
  }
  const left = await files.read(key).catch(unlessAbsent);
  left?.content.destroy();
  if (left !== undefined) throw new Error(`the store keeps what is removed (${key}): it must let files be deleted`);
}
