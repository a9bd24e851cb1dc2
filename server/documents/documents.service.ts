import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { mayUpload } from '#contract/applications/lifecycle.ts';
import type { Removal } from '#contract/documents/removals.ts';
import type { MediaType, UploadBody } from '#contract/documents/schema.ts';
import { AppError, fieldError, orNotFound } from '#server/calls/app-error.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import type { Changing } from '#server/changes/change.ts';
import { changeOnce, recordEvent } from '#server/changes/change.ts';
import type { Connection } from '#server/db/database.ts';
import { together } from '#server/db/together.ts';
import { requireRoom, takeStorage } from '#server/documents/store/storage-quota.service.ts';
import {
  claimFile,
  digestStored,
  discardUnused,
  removeDiscarded,
  storeFile,
} from '#server/documents/store/stored-files.service.ts';
import type { ReceivedFile } from '#server/files/inbox.ts';
import { scanForViruses } from '#server/files/sanitizing/virus-scan.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { findInvoice, lockDraft, lockInvoice, scopeOf } from '#server/invoices/invoices.service.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { voidFirstApproval } from '#server/steps/first-approval.service.ts';
import {
  type DocumentRecord,
  deleteDocumentOf,
  deleteDocumentsOf,
  insertDocument,
  isAskedFor,
  isDocumentType,
  selectDocument,
  selectMissingMandatory,
  selectTypeName,
  selectTypesWithDocuments,
} from './documents.queries.ts';
import { displayName } from './file-name.ts';
import { judgeMediaType } from './media-type.ts';

/** The document types of an invoice that the caller may see, with its documents; throws NOT_FOUND. */
export async function listDocuments({ platform, caller }: Context, invoiceTag: string) {
  const { id } = await findInvoice(platform.db, caller, invoiceTag);
  return selectTypesWithDocuments(platform.db, id);
}

/** The missing documents of an invoice that the caller may see; throws NOT_FOUND. */
export async function checkDocuments({ platform, caller }: Context, invoiceTag: string) {
  const { id } = await findInvoice(platform.db, caller, invoiceTag);
  return selectMissingMandatory(platform.db, id);
}

/** The minimum size of a file of unknown length. */
const SMALLEST_FILE_BYTES = 1;

/**
 * Refuses an upload early: if its fields come first, before we read the file. Throws NOT_FOUND, NOT_EDITABLE,
 * UNKNOWN_REFERENCE, STORAGE_QUOTA. {@link uploadDocument} checks again under the lock.
 */
export async function admitUpload(
  { platform, caller }: Context,
  body: UploadBody,
  bytes = SMALLEST_FILE_BYTES,
): Promise<void> {
  const { invoiceTag, typeId } = body;
  // In one transaction, because otherwise each read would begin and end its own.
  await platform.db.inTransaction(async (reads) => {
    const [invoice, isType] = await together(findInvoice(reads, caller, invoiceTag), isDocumentType(reads, typeId));
    await requireOpen(reads, invoice, typeId);
    if (!isType) throw fieldError('UNKNOWN_REFERENCE', 'typeId');
    await requireRoom(platform, reads, invoice, { typeId, bytes });
  });
}

/**
 * Throws NOT_EDITABLE unless a document of that type may be added or replaced: in a draft, or if an officer requested
 * it.
 */
async function requireOpen(connection: Connection, { id, status }: InvoiceRecord, typeId: number): Promise<void> {
  if (mayUpload(status, false)) return;
  const wasAskedFor = mayUpload(status, true) && (await isAskedFor(connection, id, typeId));
  if (!wasAskedFor) throw new AppError('NOT_EDITABLE');
}

/** An upload that was admitted: its fields, its file in the inbox, and the file name that the sender gave. */
export interface Upload {
  readonly body: UploadBody;
  readonly fileName: string | undefined;
  readonly received: ReceivedFile;
}

/**
 * Stores a document for the caller's draft, or a requested document, replacing the earlier one of its type, and returns
 * its tag. A repeat under the same Idempotency-Key stores nothing. Files are sanitized first (docs/decisions/0016).
 * Throws FILE_TYPE unless the file is a picture or PDF, FILE_HEIC, FILE_INFECTED, the errors of {@link FileReaders};
 * NOT_FOUND, NOT_EDITABLE, STORAGE_QUOTA; STORAGE_FULL, UNAVAILABLE if the store refuses the file. On an error, nothing
 * stays in the store.
 */
export async function uploadDocument(context: Context, upload: Upload): Promise<string> {
  const { platform, caller } = context;
  const { received } = upload;
  const mediaType = judgeMediaType(received);
  if (mediaType === undefined) throw new AppError('FILE_TYPE');
  if (mediaType === 'image/heic') throw new AppError('FILE_HEIC');
  const { clamavUrl } = platform.config;
  if (clamavUrl !== undefined) await scanForViruses(clamavUrl, received, platform.log);
  const { file, removed } = await platform.readers.sanitize(received, mediaType, caller.person.tag);
  try {
    // We don't trust the reader process either.
    if (judgeMediaType(file) !== mediaType) throw new AppError('FILE_BROKEN');
    return await storeDocument(context, upload, { mediaType, kept: file, removed });
  } finally {
    await platform.files.forget(file);
  }
}

interface JudgedFile {
  readonly mediaType: MediaType;
  /** The content to store: the rewritten PDF, or the redrawn picture. */
  readonly kept: ReceivedFile;
  readonly removed: readonly Removal[];
}

async function storeDocument(
  context: Context,
  { body, fileName, received }: Upload,
  { mediaType, kept, removed }: JudgedFile,
): Promise<string> {
  const { platform } = context;
  const { sha256 } = received;
  const operation = { name: 'uploadDocument', input: { ...body, sha256: sha256.toString('hex') } };
  const document: NewDocument = {
    tag: randomUUID(),
    storageKey: await storeFile(platform, kept),
    mediaType,
    fileName: displayName(fileName, mediaType),
    size: kept.size,
    sha256,
    storedSha256: kept.sha256,
    removed: removed.length === 0 ? null : removed.join(','),
  };
  let replacedKey: string | undefined;
  let storedTag: string | undefined;
  try {
    const stored = await changeOnce(context, operation, async (work) => {
      replacedKey = await replaceDocument(work, { ...body, document });
      return { tag: document.tag };
    });
    storedTag = stored.tag;
    return storedTag;
  } finally {
    if (storedTag !== document.tag) await discardUnused(platform, document.storageKey);
    else if (replacedKey !== undefined) await removeDiscarded(platform, replacedKey);
  }
}

interface NewDocument extends Omit<DocumentRecord, 'typeId' | 'invoiceTag'> {
  readonly mediaType: MediaType;
}

/** Returns the storage key of the replaced document. Replacing a document cancels a first approval. */
async function replaceDocument(
  work: Work,
  { invoiceTag, typeId, document }: UploadBody & { readonly document: NewDocument },
): Promise<string | undefined> {
  const { platform, change, caller } = work;
  const [, invoice] = await together(takeStorage(work), lockInvoice(work, invoiceTag));
  const [, , , replaced] = await together(
    requireOpen(change, invoice, typeId),
    requireRoom(platform, change, invoice, { typeId, bytes: document.size }),
    claimFile(change, document.storageKey),
    deleteDocumentOf(change, invoice.id, { typeId }),
  );
  insertDocument(change, {
    tag: document.tag,
    invoice_id: invoice.id,
    document_type_id: typeId,
    storage_key: document.storageKey,
    file_name: document.fileName,
    media_type: document.mediaType,
    size_bytes: document.size,
    sha256: document.sha256,
    stored_sha256: document.storedSha256,
    removed: document.removed,
    uploaded_at: caller.now,
    uploaded_by: caller.person.id,
  });
  const action = replaced === undefined ? 'document.uploaded' : 'document.replaced';
  recordEvent(work, action, ['document', document.tag], {
    before: replaced && auditedDocument(invoice.tag, replaced),
    after: auditedDocument(invoice.tag, { ...document, typeId }),
  });
  if (replaced === undefined) return undefined;
  const type = await selectTypeName(change, typeId);
  await voidFirstApproval(work, invoice, { documentTag: document.tag, type });
  return replaced.storageKey;
}

/** A document as the audit log records it: never with its content or storage key. */
export function auditedDocument(
  invoiceTag: string,
  document: Pick<DocumentRecord, 'typeId' | 'fileName' | 'mediaType' | 'size' | 'sha256' | 'storedSha256' | 'removed'>,
) {
  const { typeId, fileName, mediaType, size, sha256, storedSha256, removed } = document;
  const digests = { sha256: sha256.toString('hex'), storedSha256: storedSha256.toString('hex') };
  return { invoiceTag, typeId, fileName, mediaType, size, ...digests, removed };
}

/** A document with its content, which the caller must consume or destroy. */
export interface OpenDocument {
  readonly document: DocumentRecord;
  readonly content: Readable;
}

/**
 * Opens a document that the caller may see. We read the whole file before sending its first byte, so that nobody gets
 * an altered one. Throws NOT_FOUND; FILE_UNAVAILABLE if the file is lost, altered or unreachable.
 */
export async function openDocument({ platform, caller }: Context, tag: string): Promise<OpenDocument> {
  const document = await findDocument(platform.db, caller, tag);
  try {
    const digest = await digestStored(platform, document.storageKey, document.size);
    if (!digest?.equals(document.storedSha256)) throw new Error('the store holds something else than was stored');
    return { document, content: (await platform.files.read(document.storageKey)).content };
  } catch (error) {
    platform.log.error({ err: error, document: tag, storageKey: document.storageKey }, 'a document cannot be read');
    throw new AppError('FILE_UNAVAILABLE');
  }
}

/** Deletes a document of the caller's draft. Throws NOT_FOUND, NOT_EDITABLE. */
export async function deleteDocument({ platform, caller }: Context, tag: string): Promise<void> {
  const { storageKey } = await platform.db.inTransaction(async (change) => {
    const { invoiceTag } = await findDocument(change, caller, tag);
    const invoice = await lockDraft({ change, caller }, invoiceTag);
    const deleted = await deleteDocumentOf(change, invoice.id, { tag });
    if (deleted === undefined) throw new AppError('NOT_FOUND'); // deleted or replaced during the wait for the lock
    await recordDeletion({ change, caller }, invoice, deleted);
    return deleted;
  });
  await removeDiscarded(platform, storageKey);
}

/** Deletes every document of a locked draft; the next sweep removes their files. */
export async function deleteDocuments(work: Changing, invoice: InvoiceRecord): Promise<void> {
  for (const deleted of await deleteDocumentsOf(work.change, invoice.id)) await recordDeletion(work, invoice, deleted);
}

async function recordDeletion(
  work: Changing,
  { tag: invoiceTag }: InvoiceRecord,
  deleted: Omit<DocumentRecord, 'invoiceTag'>,
): Promise<void> {
  recordEvent(work, 'document.deleted', ['document', deleted.tag], {
    before: auditedDocument(invoiceTag, deleted),
  });
}

async function findDocument(connection: Connection, caller: SignedInCaller, tag: string): Promise<DocumentRecord> {
  return orNotFound(await selectDocument(connection, scopeOf(caller), tag));
}
