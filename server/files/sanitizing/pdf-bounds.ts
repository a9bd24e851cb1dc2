import { inflateSync } from 'node:zlib';

/** More than the objects of any ordinary document need, and little enough for the reader's memory. */
const UNPACKED_LIMIT_BYTES = 8 * 1024 * 1024;
/** The farthest that a stream's dictionary may be in front of it. */
const DICTIONARY_BYTES = 2000;

/**
 * Whether the object streams of a PDF unpack to more than we read. pdf-lib unpacks them completely and without a limit.
 * A name with escapes may be `/ObjStm`, so it counts, too. Streams with other filters are limited by the process's
 * memory.
 */
export function unpacksToTooMuch(content: Buffer): boolean {
  let total = 0;
  for (let at = content.indexOf('stream'); at !== -1; at = content.indexOf('stream', at + 1)) {
    const dictionary =
      content
        .toString('latin1', Math.max(0, at - DICTIONARY_BYTES), at)
        .split('endobj')
        .at(-1) ?? '';
    if (!/ObjStm|#/.test(dictionary)) continue;
    const start = at + (content[at + 6] === 0x0d ? 8 : 7);
    try {
      total += inflateSync(content.subarray(start), { maxOutputLength: UNPACKED_LIMIT_BYTES }).length;
    } catch (error) {
      if (error instanceof RangeError) return true;
    }
    if (total > UNPACKED_LIMIT_BYTES) return true;
  }
  return false;
}
