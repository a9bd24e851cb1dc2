import { type BegunUpload, MAXIMUM_FILE_BYTES, PART_BYTES, partsOf } from '#contract/documents/schema.ts';
import { DAY_MS } from '#contract/time/durations.ts';
import { AppError, orNotFound } from '#server/calls/app-error.ts';
import { changeOnce } from '#server/changes/change.ts';
import { asSystem } from '#server/db/row-scope.ts';
import { admitUpload, uploadDocument } from '#server/documents/documents.service.ts';
import { takeStorage } from '#server/documents/store/storage-quota.service.ts';
import { lockInvoice } from '#server/invoices/invoices.service.ts';
import { FairSemaphore } from '#server/machine/fair-semaphore.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context } from '#server/platform/work.ts';
import {
  deleteUpload,
  deleteUploadsBefore,
  finishWith,
  insertPart,
  keepNewestUploads,
  lockUpload,
  selectArrived,
  selectPart,
  selectUpload,
  touchUpload,
  type UploadRecord,
  upsertUpload,
} from './uploads.queries.ts';

/**
 * Resumable uploads: started, sent in numbered parts in any order and with repeats, then finished
 * (docs/decisions/0025-uploads-that-resume.md). A finished one is processed like any other upload.
 */

/** How long an untouched upload can be resumed, and how long a finished one still replies to a repeat. */
const UNTOUCHED_LIMIT_MS = DAY_MS;

/**
 * Starting an upload beyond these limits drops the least recently touched one: at most 60 MB a person, 120 MB a client.
 */
const MOST_UNFINISHED = { ofPerson: 6, ofClient: 12 } as const;

/** An upload with the numbers of its received parts. */
export interface OpenUpload {
  readonly tag: string;
  readonly arrived: readonly number[];
}

/**
 * Starts an upload to the caller's invoice, or resumes the one with the same file and place. Throws FILE_TOO_LARGE,
 * NOT_FOUND, NOT_EDITABLE, UNKNOWN_REFERENCE, STORAGE_QUOTA.
 */
export async function beginUpload(context: Context, begun: BegunUpload): Promise<OpenUpload> {
  const { platform, caller } = context;
  const { invoiceTag, typeId, fileName, size } = begun;
  if (size > MAXIMUM_FILE_BYTES) throw new AppError('FILE_TOO_LARGE');
  await admitUpload(context, { invoiceTag, typeId }, size);
  const personId = caller.person.id;
  const operation = { name: 'beginUpload', input: begun };
  const { tag } = await changeOnce(context, operation, async (work) => {
    const { change } = work;
    await takeStorage(work);
    const { id: invoiceId, businessId } = await lockInvoice(work, invoiceTag);
    const sha256 = Buffer.from(begun.sha256, 'hex');
    const begunTag = await upsertUpload(change, { personId, invoiceId, typeId, fileName, size, sha256 }, caller.now);
    await keepNewestUploads(change, { personId }, MOST_UNFINISHED.ofPerson);
    await asSystem('uploads', () => keepNewestUploads(change, { businessId }, MOST_UNFINISHED.ofClient));
    return { tag: begunTag };
  });
  // If the upload was dropped meanwhile, the call with its first part reports that.
  const upload = await selectUpload(platform.db, personId, tag);
  return { tag, arrived: upload === undefined ? [] : await selectArrived(platform.db, upload.id) };
}

/**
 * Stores a part of the caller's upload; a repeat, or a part after the end, changes nothing. Throws NOT_FOUND,
 * BAD_REQUEST.
 */
export async function storePart(
  { platform, caller }: Context,
  tag: string,
  part: number,
  content: Buffer,
): Promise<void> {
  await platform.db.inTransaction(async (change) => {
    const upload = await lockUpload(change, caller.person.id, tag);
    if (upload === undefined || part >= partsOf(upload.size)) throw new AppError('NOT_FOUND');
    if (upload.documentTag !== null) return;
    if (content.length !== sizeOfPart(upload, part))
      throw new AppError('BAD_REQUEST', { fields: { '': `Part ${part} has ${sizeOfPart(upload, part)} bytes` } });
    await insertPart(change, { upload_id: upload.id, part, content });
    await touchUpload(change, upload.id, caller.now);
  });
}

function sizeOfPart({ size }: UploadRecord, part: number): number {
  return Math.min(PART_BYTES, size - part * PART_BYTES);
}

/**
 * We assemble one file at a time, which takes a tenth of a second. A dozen at once would leave 70 MB more of buffers
 * until Node collects them (docs/decisions/0025-uploads-that-resume.md).
 */
const gathering = new FairSemaphore({ atOnce: 1, waiting: 100 });

/**
 * Turns the caller's upload into a document and returns its tag; a repeat returns the same tag, even after a crash in
 * between. Throws NOT_FOUND, UPLOAD_INCOMPLETE, UNAVAILABLE, FILE_DAMAGED if the parts are not the announced file, and
 * what {@link uploadDocument} throws.
 */
export async function finishUpload(context: Context, tag: string): Promise<string> {
  const { platform, caller } = context;
  const upload = await findUpload(context, tag);
  if (upload.documentTag !== null) return upload.documentTag;
  const { invoiceTag, typeId, fileName } = upload;
  const received = await gathering
    .run(caller.person.tag, () => platform.files.receive(contentOf(platform, upload)))
    .catch(async (error: unknown) => {
      // Another call has finished it and deleted its parts.
      const { documentTag } = await findUpload(context, tag);
      if (documentTag === null) throw error;
      return documentTag;
    });
  if (typeof received === 'string') return received;
  try {
    if (!received.sha256.equals(upload.sha256)) {
      await deleteUpload(platform.db, caller.person.id, tag);
      throw new AppError('FILE_DAMAGED');
    }
    // This creates one document, however often the upload is finished: a concurrent repeat waits for the first and gets
    // its reply.
    const finisher = { ...caller, idempotencyKey: `upload ${tag}` };
    const documentTag = await uploadDocument(
      { platform, caller: finisher },
      { body: { invoiceTag, typeId }, fileName, received },
    );
    await finishWith(platform.db, upload.id, documentTag);
    return documentTag;
  } finally {
    await platform.files.forget(received);
  }
}

/** Yields one part at a time, to limit memory. */
async function* contentOf({ db }: Platform, { id, size }: UploadRecord): AsyncGenerator<Buffer> {
  for (let part = 0; part < partsOf(size); part += 1) {
    const content = await selectPart(db, id, part);
    if (content === undefined) throw new AppError('UPLOAD_INCOMPLETE');
    yield content;
  }
}

/** Cancels the caller's upload; a finished document stays. Throws NOT_FOUND. */
export async function cancelUpload({ platform, caller }: Context, tag: string): Promise<void> {
  if (!(await deleteUpload(platform.db, caller.person.id, tag))) throw new AppError('NOT_FOUND');
}

async function findUpload({ platform: { db }, caller }: Context, tag: string): Promise<UploadRecord> {
  return orNotFound(await selectUpload(db, caller.person.id, tag));
}

/** Deletes abandoned uploads. */
export async function sweepUploads({ db, clock }: Platform): Promise<void> {
  await deleteUploadsBefore(db, new Date(clock.now().getTime() - UNTOUCHED_LIMIT_MS));
}
