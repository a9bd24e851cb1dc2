import { deflateSync } from 'node:zlib';
import { type PackedObjects, readObjects } from './pdf-inspection.ts';
import { PdfSyntaxError, readName, readValue, skipSpace } from './pdf-syntax.ts';

/**
 * Disarms a PDF's links (docs/decisions/0016): blanks the action's name and the address, byte for byte, so that no
 * table of the file changes and readers find the rest in place.
 */

/** The file without links, of equal length. What cannot be replaced in place is left for {@link hasLinks} to find. */
export function withoutLinks(content: Buffer): Buffer {
  const text = content.toString('latin1');
  const plain = Buffer.from(blank(text), 'latin1');
  for (const packed of readObjects(content, text).unpacked) putBack(plain, packed);
  return plain;
}

/** Whether links are left, also in compressed parts. */
export function hasLinks(content: Buffer): boolean {
  const text = content.toString('latin1');
  return [text, ...readObjects(content, text).unpacked.map((packed) => packed.text)].some(
    (part) => blank(part) !== part,
  );
}

function putBack(plain: Buffer, { text, start, room, isDeflated }: PackedObjects): void {
  const blanked = Buffer.from(blank(text), 'latin1');
  if (!isDeflated || blanked.toString('latin1') === text) return; // uncompressed parts were blanked with the file
  // Without addresses they compress better, so they nearly always fit.
  const deflated = deflateSync(blanked, { level: 9, memLevel: 9 });
  if (deflated.length > room) return;
  plain.fill(0, start, start + room);
  deflated.copy(plain, start);
}

/** The same text, of equal length, without names and addresses of links. */
function blank(text: string): string {
  let [plain, done] = ['', 0];
  const replace = (from: number, to: number, filler: string): void => {
    plain += text.slice(done, from) + filler.repeat(to - from);
    done = to;
  };
  for (let slash = text.indexOf('/'); slash !== -1; slash = text.indexOf('/', Math.max(slash + 1, done))) {
    const { name, end } = readName(text, slash);
    const next = skipSpace(text, end);
    // Three letters occur by chance in a picture's bytes, but hardly ever with what may follow them.
    if (name !== 'URI' || !/[(<>/\d]/.test(text.charAt(next))) continue;
    replace(slash + 1, end, 'X');
    replace(end, next, ' ');
    const closed = isText(text, next) ? endOfAddress(text, next) : undefined;
    if (closed !== undefined) replace(next + 1, closed - 1, ' ');
  }
  return plain + text.slice(done);
}

/** In parentheses, or in hexadecimal. */
function isText(text: string, at: number): boolean {
  return text.charAt(at) === '(' || (text.charAt(at) === '<' && text.charAt(at + 1) !== '<');
}

function endOfAddress(text: string, from: number): number | undefined {
  try {
    return readValue(text, from).end;
  } catch (error) {
    if (error instanceof PdfSyntaxError) return undefined;
    throw error;
  }
}
