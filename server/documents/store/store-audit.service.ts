import { HOUR_MS } from '#contract/time/durations.ts';
import { isAbsence } from '#server/files/file-storage.ts';
import { type Measured, samplesBy } from '#server/health/metrics.ts';
import { codeOf } from '#server/machine/error-codes.ts';
import type { Platform } from '#server/platform/platform.ts';
import {
  countFindings,
  type Finding,
  isStored,
  replaceFindings,
  type Share,
  selectStored,
  selectUnknown,
} from './store-audit.queries.ts';
import { digestStored } from './stored-files.service.ts';

/**
 * Checks that store and database agree, in case either was changed behind the server's back: a disk lost a file, one of
 * the two was restored without the other, somebody used the console. It repairs nothing; a person decides.
 */

const AT_ONCE = 500;
/** Each hour checks one share of the documents, so that each is read once a day. */
const SHARES = 24;
const EVERY_DOCUMENT: Share = { index: 0, of: 1 };

export interface StoreAudit {
  /** The number of files in the store, and of documents that were read completely. */
  readonly files: number;
  readonly documents: number;
  readonly findings: readonly Finding[];
}

/**
 * Finds every orphan (a file without a record) and, in this share, every loss: a file that is missing or whose digest
 * differs. Logs each finding and stores it for {@link storeFindingsMetric}. Throws if store or database cannot be
 * reached.
 */
export async function auditStore(platform: Platform, share: Share = EVERY_DOCUMENT): Promise<StoreAudit> {
  await platform.files.check(); // otherwise everything would look lost
  const orphans = await findOrphans(platform);
  const losses = await findLosses(platform, share);
  const findings = [...orphans.findings, ...losses.findings];
  await platform.db.inTransaction((change) => replaceFindings(change, share, findings, platform.clock.now()));
  for (const { finding, storage_key } of findings) {
    platform.log.error({ finding, storageKey: storage_key }, 'the store and the database do not agree');
  }
  return { files: orphans.files, documents: losses.documents, findings };
}

/** The hourly run: checks for all orphans, and this hour's share of the documents. */
export async function auditNextShare(platform: Platform): Promise<void> {
  const hour = Math.floor(platform.clock.now().getTime() / HOUR_MS);
  await auditStore(platform, { index: hour % SHARES, of: SHARES });
}

/** For /metrics: the current findings, the same on every server. */
export const storeFindingsMetric: Measured = {
  name: 'kasente_store_findings',
  help: 'Stored files that are orphaned, missing or altered; anything but 0 wants a person',
  kind: 'gauge',
  labels: ['finding'],
  measure: async ({ db }) => {
    const counted = await countFindings(db);
    const none = { orphan: 0, missing: 0, altered: 0 };
    const found = Object.fromEntries(counted.map(({ finding, files }) => [finding, files]));
    return samplesBy('finding', { ...none, ...found });
  },
};

async function findOrphans({ db, files }: Platform) {
  const suspects: string[] = [];
  let listed = 0;
  for await (const keys of inBatches(files.list())) {
    listed += keys.length;
    suspects.push(...(await selectUnknown(db, keys)));
  }
  const findings: Finding[] = [];
  for (const storage_key of suspects) {
    // The document and its file may have been deleted between the listing and the query.
    if (await exists(files, storage_key)) findings.push({ storage_key, finding: 'orphan' });
  }
  return { files: listed, findings };
}

async function* inBatches(keys: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const key of keys) {
    batch.push(key);
    if (batch.length === AT_ONCE) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

async function exists(files: Platform['files'], storageKey: string): Promise<boolean> {
  try {
    (await files.read(storageKey)).content.destroy();
    return true;
  } catch (error) {
    // The error has another cause, such as a key that we didn't create: the file exists.
    return !isAbsence(error);
  }
}

async function findLosses(platform: Platform, share: Share) {
  const findings: Finding[] = [];
  let [documents, lastId] = [0, 0];
  for (;;) {
    const stored = await selectStored(platform.db, share, lastId, AT_ONCE);
    for (const { id, storageKey, size, storedSha256 } of stored) {
      lastId = id;
      documents += 1;
      const finding = await findLoss(platform, { storageKey, size, storedSha256 });
      // A document that has been replaced or deleted since is not lost.
      if (finding !== undefined && (await isStored(platform.db, storageKey))) {
        findings.push({ storage_key: storageKey, finding });
      }
    }
    if (stored.length < AT_ONCE) return { documents, findings };
  }
}

interface Stored {
  readonly storageKey: string;
  readonly size: number;
  readonly storedSha256: Buffer;
}

async function findLoss(platform: Platform, stored: Stored): Promise<Finding['finding'] | undefined> {
  try {
    const digest = await digestStored(platform, stored.storageKey, stored.size);
    return digest?.equals(stored.storedSha256) ? undefined : 'altered';
  } catch (error) {
    if (isAbsence(error) || isUnreadable(error)) return 'missing';
    throw error;
  }
}

/** Whether the fault lies in this file, on a disk that works for others. */
function isUnreadable(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'EIO' || code === 'EACCES' || code === 'EISDIR';
}
