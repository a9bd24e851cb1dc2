import { acceptedMediaTypes, type MediaType } from '#contract/documents/schema.ts';
import type { ReceivedFile } from '#server/files/inbox.ts';

/**
 * A file's media type by its content alone; undefined unless it is an accepted picture or PDF. The sender's claim is
 * ignored.
 */
export async function judgeMediaType(file: ReceivedFile): Promise<MediaType | undefined> {
  const { fileTypeFromBuffer } = await import('file-type'); // with the first upload (docs/decisions/0028-benches.md)
  const found = await fileTypeFromBuffer(file.head);
  if (found === undefined || !isAccepted(found.mime)) return undefined;
  if (found.mime === 'application/pdf' && !isWholePdf(file)) return undefined;
  return found.mime;
}

function isAccepted(mime: string): mime is MediaType {
  return Object.hasOwn(acceptedMediaTypes, mime);
}

/** A PDF starts with its version and ends with %%EOF, which some writers pad a little. */
function isWholePdf({ head, tail }: ReceivedFile): boolean {
  return /^%PDF-\d\.\d/.test(head.toString('latin1')) && tail.includes('%%EOF');
}
