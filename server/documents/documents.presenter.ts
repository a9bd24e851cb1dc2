import type { SupportingDocument } from '#contract/documents/schema.ts';
import { inlineDisposition } from '#server/files/inline-disposition.ts';
import { filePolicy } from '#server/pages/security-headers.ts';
import type { DocumentRecord, TypeWithDocument } from './documents.queries.ts';

/** Presents a document type with its document, if there is one. */
export function presentType({ tag, fileName, mediaType, size, ...type }: TypeWithDocument): SupportingDocument {
  if (tag === null || fileName === null || mediaType === null || size === null) return type;
  return { ...type, documentTag: tag, fileName, mediaType, size };
}

/** The headers for showing a document: it runs no script and only our own pages may frame it. */
export function documentHeaders({ fileName, mediaType, size }: DocumentRecord) {
  return {
    'content-type': mediaType,
    'content-length': size,
    'content-disposition': inlineDisposition(fileName),
    'content-security-policy': filePolicy(mediaType),
    'x-frame-options': 'SAMEORIGIN',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}
