import { z } from 'zod';
import { lookupId, tag } from '#contract/fields.ts';

/** Supporting documents (docs/decisions/0041-left-open.md). */

/** A file is at most 10 MB. */
export const MAXIMUM_FILE_BYTES = 10 * 1024 * 1024;

/** The accepted kinds of files, by content: media type, and what the file picker offers. */
export const acceptedMediaTypes = {
  'image/png': ['.png'],
  'image/jpeg': ['.jpeg', '.jpg'],
  'image/webp': ['.webp'],
  'application/pdf': ['.pdf'],
} as const satisfies Record<string, readonly string[]>;
export type MediaType = keyof typeof acceptedMediaTypes;

/** The fields of the multipart upload besides the file. */
export const uploadBody = z.strictObject({ invoiceTag: tag, typeId: lookupId('Select the type of document') });
export type UploadBody = z.output<typeof uploadBody>;

/** The message for an upload without a file. */
export const FILE_MISSING = 'Choose a file';

/**
 * Files are uploaded in parts of this size (the last may be smaller): a lost connection costs one part at most
 * (docs/decisions/0025-uploads-that-resume.md).
 */
export const PART_BYTES = 256 * 1024;

/** How many parts a file of this size has. */
export function partsOf(size: number): number {
  return Math.ceil(size / PART_BYTES);
}

/** A file's name on one line, without control characters and halves of surrogate pairs. */
export function shownName(given: string): string {
  return given.replaceAll(/\s/gu, ' ').replaceAll(/\p{C}/gu, '');
}

/** A file to upload in parts. The same file for the same place resumes the upload that exists. */
export const begunUpload = uploadBody.extend({
  fileName: z.string().overwrite(shownName).max(255),
  size: z.int().min(1, 'The file is empty'),
  sha256: z.string().regex(/^[\da-f]{64}$/, 'Use 64 hexadecimal digits'),
});
export type BegunUpload = z.output<typeof begunUpload>;

/** A document type of an invoice, with its uploaded file if there is one. */
export const supportingDocument = z.strictObject({
  type: z.string(),
  typeId: z.int(),
  documentTag: tag.optional(),
  mandatory: z.boolean(),
  fileName: z.string().optional(),
  mediaType: z.string().optional(),
  size: z.int().optional(),
  /** A sentence about the parts that were removed from the file. */
  note: z.string().optional(),
});
export type SupportingDocument = z.output<typeof supportingDocument>;
