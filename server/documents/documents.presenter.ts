import type { SupportingDocument } from '#contract/documents/schema.ts';
import { inlineDisposition } from '#server/files/inline-disposition.ts';
import { filePolicy } from '#server/pages/security-headers.ts';
import type { DocumentRecord, TypeWithDocument } from './documents.queries.ts';

/** A document type with its document, where there is one, as the wire has it. */
export function presentType({ tag, fileName, mediaType, size, ...type }: TypeWithDocument): SupportingDocument {
  if (tag === null || fileName === null || mediaType === null || size === null) return type;
  return { ...type, documentTag: tag, fileName, mediaType, size };
}

/** The headers with which a document is shown: what a stranger uploaded runs nothing and is framed by nobody but us. */
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
