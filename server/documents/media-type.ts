import { acceptedMediaTypes, type MediaType } from '#contract/documents/schema.ts';
import type { ReceivedFile } from '#server/files/inbox.ts';

/**
 * What a file is, by its content alone: undefined unless it is a picture or a PDF of the accepted kinds. What its
 * sender calls it counts for nothing.
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

/** A PDF names its version at the very start, and ends with %%EOF, which some writers let a little padding follow. */
function isWholePdf({ head, tail }: ReceivedFile): boolean {
  return /^%PDF-\d\.\d/.test(head.toString('latin1')) && tail.includes('%%EOF');
}
