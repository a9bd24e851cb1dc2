import { createHash, randomBytes } from 'node:crypto';
import { HOUR_MS } from '#contract/time/durations.ts';
import { AppError } from '#server/calls/app-error.ts';
import { asSystem } from '#server/db/row-scope.ts';
import type { Change } from '#server/db/transaction.ts';
import type { ReceivedFile } from '#server/files/inbox.ts';
import type { Platform } from '#server/platform/platform.ts';
import {
  deleteDiscarded,
  deletePending,
  discardPendingBefore,
  discardUnlessDocument,
  insertPending,
  mayBeRemoved,
  postponeDiscarded,
  selectDiscarded,
} from './stored-files.queries.ts';

/**
 * Keeps store and database consistent, although no transaction spans both: we record a file before we write it, and
 * remove it only after the deletion of its document was committed.
 */

/** A file pending for longer than this belongs to an upload that died. */
const PENDING_LIMIT_MS = HOUR_MS;
const SWEPT_AT_ONCE = 500;

/**
 * Stores a received file and returns its key. The file stays once {@link claimFile} is committed; otherwise the caller
 * must call {@link discardUnused}. Throws STORAGE_FULL or UNAVAILABLE if the store refuses it.
 */
export async function storeFile(platform: Platform, received: ReceivedFile): Promise<string> {
  const now = platform.clock.now();
  const storageKey = `${now.toISOString().slice(0, 'YYYY-MM'.length)}/${randomBytes(16).toString('hex')}`;
  await asSystem('files', () => insertPending(platform.db, storageKey, now));
  try {
    await platform.files.keep(received, storageKey);
  } catch (error) {
    platform.log.error({ err: error, storageKey }, 'the store did not take a file');
    await discardUnused(platform, storageKey);
    throw isFull(error) ? new AppError('STORAGE_FULL') : new AppError('UNAVAILABLE', { retryAfterSeconds: 5 });
  }
  return storageKey;
}

/** A disk reports a full store by an error code, an S3 store by the HTTP status that we use too. */
function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return (
    code === 'ENOSPC' || code === 'EDQUOT' || error.name === 'XMinioStorageFull' || error.name === 'InsufficientStorage'
  );
}

/** The digest of the stored object, or undefined if its size differs. Throws if it cannot be read. */
export async function digestStored({ files }: Platform, storageKey: string, size: number): Promise<Buffer | undefined> {
  const stored = await files.read(storageKey);
  if (stored.size !== size) {
    stored.content.destroy();
    return undefined;
  }
  const hash = createHash('sha256');
  for await (const piece of stored.content) hash.update(piece);
  return hash.digest();
}

/** Claims a stored file for a document, in the transaction that inserts it. */
export async function claimFile(change: Change, storageKey: string): Promise<void> {
  // Only the sweep removes this record, when it takes an upload for dead; then the file may be gone too.
  const isClaimed = await asSystem('files', () => deletePending(change, storageKey));
  if (!isClaimed) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
}

/** Removes a stored file that no document owns. Never throws: failures are left to the sweep. */
export async function discardUnused(platform: Platform, storageKey: string): Promise<void> {
  try {
    await asSystem('files', () =>
      platform.db.inTransaction(async (change) => {
        // Waits for a commit whose reply was lost, so that the second statement sees its outcome.
        await deletePending(change, storageKey);
        await discardUnlessDocument(change, storageKey);
      }),
    );
  } catch (error) {
    platform.log.warn({ err: error, storageKey }, 'an unused file is left to the sweep');
    return;
  }
  await removeDiscarded(platform, storageKey);
}

/** Removes the file of a deleted document. Never throws: failures are left to the sweep. */
export async function removeDiscarded(platform: Platform, storageKey: string): Promise<void> {
  try {
    if (!(await asSystem('files', () => mayBeRemoved(platform.db, storageKey)))) return;
    await platform.files.remove(storageKey);
    await asSystem('files', () => deleteDiscarded(platform.db, storageKey));
  } catch (error) {
    platform.log.warn({ err: error, storageKey }, 'a discarded file is left to the sweep');
  }
}

/**
 * Removes the files of deleted or replaced documents, of deleted invoices, and of uploads that died over an hour ago.
 * Stops at the first file that the store fails to remove, and puts it last in the queue. Several servers may sweep at
 * once.
 */
export async function sweepFiles(platform: Platform): Promise<void> {
  const { db, files, clock, log } = platform;
  const longAgo = new Date(clock.now().getTime() - PENDING_LIMIT_MS);
  await files.sweepInbox(longAgo);
  await discardPendingBefore(db, longAgo);
  for (const storageKey of await selectDiscarded(db, SWEPT_AT_ONCE)) {
    try {
      await files.remove(storageKey);
    } catch (error) {
      log.warn({ err: error, storageKey }, 'a discarded file could not be removed');
      await postponeDiscarded(db, storageKey);
      return;
    }
    await deleteDiscarded(db, storageKey);
  }
}
