import type { MediaType } from '#contract/documents/schema.ts';
import type { ReceivedFile } from '#server/files/inbox.ts';

const starts: readonly (readonly [RegExp, MediaType | 'image/heic'])[] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^RIFF[\s\S]{4}WEBP/, 'image/webp'],
  [/^[\s\S]{4}ftyp(?:heic|heix|heim|heis|hevc|hevx|hevm|hevs|mif1|msf1)/, 'image/heic'],
  // It may come anywhere in the first kilobytes: some programs put a byte-order mark, a line or mail headers before it.
  [/%PDF-\d/, 'application/pdf'],
];

/**
 * A file's media type by its content alone; undefined for unaccepted types. We ignore the type that the sender claims.
 */
export function judgeMediaType({ head }: ReceivedFile): MediaType | 'image/heic' | undefined {
  const text = head.toString('latin1');
  return starts.find(([start]) => start.test(text))?.[1];
}
