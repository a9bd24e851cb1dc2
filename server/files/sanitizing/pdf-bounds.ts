import { inflateSync } from 'node:zlib';

/** More than any statement's objects take, and little enough for the reader's memory. */
const UNPACKED_LIMIT_BYTES = 8 * 1024 * 1024;
/** Further than a stream's dictionary reaches in front of it. */
const DICTIONARY_BYTES = 2000;

/**
 * Whether the streams of objects of a PDF unpack to more than is read. pdf-lib unpacks them whole and without a bound. A name
 * with escapes may be `/ObjStm`, too; what a filter of another kind unpacks to is bounded by the process's memory.
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
