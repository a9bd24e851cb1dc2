import { removal, removalNote } from '#contract/documents/removals.ts';
import type { SupportingDocument } from '#contract/documents/schema.ts';
import type { TypeWithDocument } from './documents.queries.ts';

/** Presents a document type with its document, if there is one. */
export function presentType({
  tag,
  fileName,
  mediaType,
  size,
  removed,
  ...type
}: TypeWithDocument): SupportingDocument {
  if (tag === null || fileName === null || mediaType === null || size === null) return type;
  const note = removed === null ? undefined : removalNote(removal.array().parse(removed.split(',')));
  return { ...type, documentTag: tag, fileName, mediaType, size, ...(note === undefined ? {} : { note }) };
}
