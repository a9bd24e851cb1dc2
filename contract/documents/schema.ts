import { z } from 'zod';
import { lookupId, tag } from '#contract/fields.ts';

/** Supporting documents (docs/decisions/0041-left-open.md). */

/** A file is at most 10 MB. */
export const MAXIMUM_FILE_BYTES = 10 * 1024 * 1024;

/** What a document may be, by its content: the media type and what the file picker offers. */
export const acceptedMediaTypes = {
  'image/png': ['.png'],
  'image/jpeg': ['.jpeg', '.jpg'],
  'image/webp': ['.webp'],
  'application/pdf': ['.pdf'],
} as const satisfies Record<string, readonly string[]>;
export type MediaType = keyof typeof acceptedMediaTypes;

/** The fields of the multipart upload beside the file. */
export const uploadBody = z.strictObject({ invoiceTag: tag, typeId: lookupId('Select the type of document') });
export type UploadBody = z.output<typeof uploadBody>;

/** What an upload without a file is told. */
export const FILE_MISSING = 'Choose a file';

/**
 * A file that is sent in parts is sent in parts of this size, but for the last: a lost line costs one at most
 * (docs/decisions/0025-uploads-that-resume.md).
 */
export const PART_BYTES = 256 * 1024;

/** How many parts a file of so many bytes has. */
export function partsOf(size: number): number {
  return Math.ceil(size / PART_BYTES);
}

/** A file's name with what can be shown of it, on one line: names come with control characters, and with half a character. */
export function shownName(given: string): string {
  return given.replaceAll(/\s/gu, ' ').replaceAll(/\p{C}/gu, '');
}

/** A file about to be sent in parts. The same file for the same place is the same upload, begun or half done. */
export const begunUpload = uploadBody.extend({
  fileName: z.string().overwrite(shownName).max(255),
  size: z.int().min(1, 'The file is empty'),
  sha256: z.string().regex(/^[\da-f]{64}$/, 'Use 64 hexadecimal digits'),
});
export type BegunUpload = z.output<typeof begunUpload>;

/** A document type of an invoice and, where one is uploaded, its file. */
export const supportingDocument = z.strictObject({
  type: z.string(),
  typeId: z.int(),
  documentTag: tag.optional(),
  mandatory: z.boolean(),
  fileName: z.string().optional(),
  mediaType: z.string().optional(),
  size: z.int().optional(),
});
export type SupportingDocument = z.output<typeof supportingDocument>;
