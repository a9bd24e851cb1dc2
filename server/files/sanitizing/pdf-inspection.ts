import { inflateSync } from 'node:zlib';
import { PdfSyntaxError, type PdfValue, readName, readValue, skipSpace } from './pdf-syntax.ts';

/**
 * Looks for what a PDF could do besides being read (docs/decisions/0016). Readers disagree about which of a file's
 * bytes count, so none of their ways through it is followed: every name anywhere in the file is looked at, wherever an
 * object could begin one is read, and every object stream is unpacked, whether or not anything refers to it.
 */

export type PdfVerdict = 'harmless' | 'FILE_TYPE' | 'FILE_ACTIVE' | 'FILE_LOCKED';

/** All object streams of a file together, unpacked. */
const UNPACKED_LIMIT_BYTES = 48 * 1024 * 1024;
/** How often over the file's own length its objects may be read, before it counts as made to take long. */
const REREAD_LIMIT = 8;
const REREAD_FREE = 4 * 1024 * 1024;

/** Actions, attachments and forms that run, open, send or carry something. Long enough never to occur by chance. */
const ACTIVE_NAMES: ReadonlySet<string> = new Set([
  'EmbeddedFile',
  'EmbeddedFiles',
  'FileAttachment',
  'GoToE',
  'GoToR',
  'ImportData',
  'JavaScript',
  'Launch',
  'Movie',
  'OnInstantiate',
  'Rendition',
  'RichMedia',
  'RichMediaExecute',
  'Sound',
  'SubmitForm',
]);

/**
 * The same, but so short that a picture's bytes spell them now and then: they count with a value after them. JS, the
 * shortest, is nothing without JavaScript or Rendition beside it.
 */
const ACTIVE_KEYS: ReadonlySet<string> = new Set(['3DD', 'AA', 'EF', 'XFA']);
/** Farther away than any writer puts a key's value. */
const FARTHEST_VALUE = 1000;

/** Judges a PDF. Its whole content is at hand, at most the 10 MB that an upload may have. */
export function inspectPdf(content: Buffer): PdfVerdict {
  const text = content.toString('latin1');
  if (!isPlainPdf(content, text)) return 'FILE_TYPE';
  try {
    const objects = readObjects(content, text);
    const texts = [text, ...objects.unpacked.map((packed) => packed.text)];
    if (texts.some((part) => hasKey(part, 'Encrypt'))) return 'FILE_LOCKED';
    return texts.some((part) => isActive(part, objects)) ? 'FILE_ACTIVE' : 'harmless';
  } catch (error) {
    if (error instanceof PdfSyntaxError || error instanceof Unreadable) return 'FILE_TYPE';
    throw error;
  }
}

/** A file that is made so that it takes long or cannot be seen through. */
class Unreadable extends Error {}

/** A PDF from its first byte to its last, and no page or archive besides. */
function isPlainPdf(content: Buffer, text: string): boolean {
  if (!/^%PDF-\d\.\d/.test(text)) return false;
  const end = text.lastIndexOf('%%EOF');
  // Some writers let a little padding follow.
  if (end === -1 || /[^\0\t\n\f\r ]/.test(text.slice(end + '%%EOF'.length))) return false;
  if (/<(?:!doctype|html|head|body|script|svg|iframe|\?php)\b/i.test(text.slice(0, 1024))) return false;
  return !isArchive(content);
}

/** Whether an archiver finds a ZIP in it: its last record lies in the last 64 kB, with a comment to the very end. */
function isArchive(content: Buffer): boolean {
  const record = Buffer.from('PK\x05\x06', 'latin1');
  const [recordLength, commentAt, longestComment] = [22, 20, 65_535];
  let at = content.indexOf(record, Math.max(0, content.length - recordLength - longestComment));
  for (; at !== -1 && at + recordLength <= content.length; at = content.indexOf(record, at + 1)) {
    if (at + recordLength + content.readUInt16LE(at + commentAt) >= content.length - 1024) return true;
  }
  return false;
}

interface Objects {
  /** Every value that is an object of that number in some reading of the file. */
  readonly byNumber: ReadonlyMap<number, readonly PdfValue[]>;
  /** What the object streams hold. */
  readonly unpacked: readonly PackedObjects[];
}

/** Reads an object wherever one could begin, also inside of others. Throws {@link PdfSyntaxError} or {@link Unreadable}. */
export function readObjects(content: Buffer, text: string): Objects {
  const byNumber = new Map<number, PdfValue[]>();
  const unpacked: PackedObjects[] = [];
  const allowance = { read: REREAD_LIMIT * text.length + REREAD_FREE, unpack: UNPACKED_LIMIT_BYTES };
  for (let at = text.indexOf('obj'); at !== -1; at = text.indexOf('obj', at + 1)) {
    if (text.startsWith('end', at - 3)) continue;
    const start = at + 'obj'.length;
    const header = /(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]*$/.exec(text.slice(Math.max(0, at - 40), at));
    const parsed = tryRead(text, start, header !== null);
    allowance.read -= parsed.end - start;
    if (allowance.read < 0) throw new Unreadable('too much to read');
    if (parsed.value === undefined) continue;
    if (header !== null) add(byNumber, Number(header[1]), parsed.value);
    const inside = unpackObjects(content, text, parsed.value, parsed.end);
    if (inside === undefined) continue;
    allowance.unpack -= inside.text.length;
    if (allowance.unpack < 0) throw new Unreadable('too much to unpack');
    unpacked.push(inside);
    addPacked(byNumber, inside);
  }
  return { byNumber, unpacked };
}

/** What is no object is a fault only where one was announced. */
function tryRead(
  text: string,
  from: number,
  isAnnounced: boolean,
): { readonly value: PdfValue | undefined; readonly end: number } {
  try {
    return readValue(text, from);
  } catch (error) {
    if (isAnnounced || !(error instanceof PdfSyntaxError)) throw error;
    return { value: undefined, end: error.at };
  }
}

function add(byNumber: Map<number, PdfValue[]>, number: number, value: PdfValue): void {
  const known = byNumber.get(number);
  if (known === undefined) byNumber.set(number, [value]);
  else known.push(value);
}

/** An object stream: what it holds, and where it lies in the file. */
export interface PackedObjects {
  readonly text: string;
  readonly count: number;
  readonly first: number;
  readonly start: number;
  /** The bytes that it takes, from its start. */
  readonly room: number;
  readonly isDeflated: boolean;
}

/**
 * The content of an object stream; undefined for any other object. Whatever has its two keys counts as one, because not
 * every reader asks for its type. Throws {@link Unreadable} where it is packed in a way that hardly any writer uses.
 */
function unpackObjects(content: Buffer, text: string, value: PdfValue, end: number): PackedObjects | undefined {
  if (value.kind !== 'dictionary') return undefined;
  const [first, count] = [value.entries.get('First'), value.entries.get('N')];
  const keyword = skipSpace(text, end);
  if (first === undefined || count === undefined || !text.startsWith('stream', keyword)) return undefined;
  const start = keyword + (text.startsWith('\r\n', keyword + 6) ? 8 : 7);
  if (first.kind !== 'number' || count.kind !== 'number') throw new Unreadable('an object stream of unknown size');
  const filter = filterOf(value.entries.get('Filter'));
  const room = text.slice(start, text.indexOf('endstream', start)).replace(/\r?\n$/, '').length;
  const packed = { count: count.number, first: first.number, start, room, isDeflated: filter !== 'none' };
  if (filter === 'none') return { ...packed, text: text.slice(start, text.indexOf('endstream', start)) };
  if (filter !== 'FlateDecode' || isPredicted(value.entries.get('DecodeParms'))) {
    throw new Unreadable('an object stream that is packed unusually');
  }
  try {
    // Its end is in the data: the length that is told beside it may be a lie.
    const unpacked = inflateSync(content.subarray(start), { maxOutputLength: UNPACKED_LIMIT_BYTES });
    return { ...packed, text: unpacked.toString('latin1') };
  } catch {
    throw new Unreadable('an object stream that cannot be unpacked');
  }
}

function filterOf(filter: PdfValue | undefined): string {
  if (filter === undefined) return 'none';
  const [only, ...more] = filter.kind === 'array' ? filter.items : [filter];
  if (filter.kind === 'array' && only === undefined) return 'none';
  return only?.kind === 'name' && more.length === 0 ? only.name : 'unknown';
}

function isPredicted(parameters: PdfValue | undefined): boolean {
  if (parameters === undefined || parameters.kind === 'keyword') return false;
  if (parameters.kind !== 'dictionary') return true;
  const predictor = parameters.entries.get('Predictor');
  return predictor !== undefined && !(predictor.kind === 'number' && predictor.number === 1);
}

/** The objects of an object stream: pairs of number and place come first. */
function addPacked(byNumber: Map<number, PdfValue[]>, { text, count, first }: PackedObjects): void {
  const pairs = text
    .slice(0, first)
    .trim()
    .split(/[\0\t\n\f\r ]+/);
  for (let index = 0; index < Math.min(count, pairs.length / 2); index += 1) {
    const [number, offset] = [Number(pairs[2 * index]), Number(pairs[2 * index + 1])];
    if (!(Number.isInteger(number) && Number.isInteger(offset))) throw new Unreadable('a wrong object stream');
    add(byNumber, number, readValue(text, first + offset).value);
  }
}

function isActive(text: string, { byNumber }: Objects): boolean {
  if (/javascript\s*:/i.test(text)) return true;
  for (let slash = text.indexOf('/'); slash !== -1; slash = text.indexOf('/', slash + 1)) {
    const { name, end } = readName(text, slash);
    if (ACTIVE_NAMES.has(name)) return true;
    if (ACTIVE_KEYS.has(name) && hasValue(text, name, end)) return true;
    if (name === 'OpenAction' && opensMore(readValue(text, end).value, byNumber)) return true;
  }
  return false;
}

function hasKey(text: string, wanted: string): boolean {
  for (let slash = text.indexOf('/'); slash !== -1; slash = text.indexOf('/', slash + 1)) {
    const { name, end } = readName(text, slash);
    if (name === wanted && hasValue(text, name, end)) return true;
  }
  return false;
}

/** Whether a dictionary, an array or a reference follows, which could be an action or an attachment. */
function hasValue(text: string, name: string, from: number): boolean {
  const near = text.slice(from, from + FARTHEST_VALUE);
  const at = skipSpace(near, 0);
  if (at === FARTHEST_VALUE) return true;
  const follows = near.slice(at);
  return (
    follows.startsWith('<<') || (name.length > 2 && follows.startsWith('[')) || /^\d{1,10}[\0\t\n\f\r %]/.test(follows)
  );
}

/** Opening at a page is what many writers ask for; anything else that happens on opening is active. */
function opensMore(value: PdfValue, byNumber: Objects['byNumber']): boolean {
  switch (value.kind) {
    case 'array':
    case 'string':
    case 'name':
    case 'keyword':
      return false;
    case 'number':
      return true;
    case 'reference':
      return (byNumber.get(value.number) ?? []).some(
        (target) => target.kind === 'reference' || opensMore(target, byNumber),
      );
    case 'dictionary': {
      const kind = value.entries.get('S');
      return kind?.kind !== 'name' || kind.name !== 'GoTo' || value.entries.has('Next');
    }
  }
}
