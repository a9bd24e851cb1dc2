import { deflateSync } from 'node:zlib';
import { type PackedObjects, readObjects } from './pdf-inspection.ts';
import { PdfSyntaxError, readName, readValue, skipSpace } from './pdf-syntax.ts';

/**
 * Makes links of a PDF plain (docs/decisions/0016): the action that leads to an address loses its name, and the address its
 * letters, in as many bytes as before, so that no table of the file has to change and every reader finds the rest where it was.
 */

/** The file without links, as long as before. What cannot be done in its place is left: {@link hasLinks} finds it. */
export function withoutLinks(content: Buffer): Buffer {
  const text = content.toString('latin1');
  const plain = Buffer.from(blank(text), 'latin1');
  for (const packed of readObjects(content, text).unpacked) putBack(plain, packed);
  return plain;
}

/** Whether it leads anywhere, in what is packed too. */
export function hasLinks(content: Buffer): boolean {
  const text = content.toString('latin1');
  return [text, ...readObjects(content, text).unpacked.map((packed) => packed.text)].some(
    (part) => blank(part) !== part,
  );
}

function putBack(plain: Buffer, { text, start, room, isDeflated }: PackedObjects): void {
  const blanked = Buffer.from(blank(text), 'latin1');
  if (!isDeflated || blanked.toString('latin1') === text) return; // what is not packed was blanked with the file
  // Without addresses they pack smaller, so hardly any file has too little room.
  const deflated = deflateSync(blanked, { level: 9, memLevel: 9 });
  if (deflated.length > room) return;
  plain.fill(0, start, start + room);
  deflated.copy(plain, start);
}

/** The same text, as long, without names and addresses of links. */
function blank(text: string): string {
  let [plain, done] = ['', 0];
  const replace = (from: number, to: number, filler: string): void => {
    plain += text.slice(done, from) + filler.repeat(to - from);
    done = to;
  };
  for (let slash = text.indexOf('/'); slash !== -1; slash = text.indexOf('/', Math.max(slash + 1, done))) {
    const { name, end } = readName(text, slash);
    const next = skipSpace(text, end);
    // Three letters come in a picture's bytes by chance, hardly ever with what can follow them.
    if (name !== 'URI' || !/[(<>/\d]/.test(text.charAt(next))) continue;
    replace(slash + 1, end, 'X');
    replace(end, next, ' ');
    const closed = isText(text, next) ? endOfAddress(text, next) : undefined;
    if (closed !== undefined) replace(next + 1, closed - 1, ' ');
  }
  return plain + text.slice(done);
}

/** In brackets, or in hexadecimal. */
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
