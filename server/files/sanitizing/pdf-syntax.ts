/** Reads PDF's objects (ISO 32000-1, 7.3) from any place in a file, as far as judging them needs. */

/** What is written there is no object; `at` is how far it was read. */
export class PdfSyntaxError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

export type PdfValue =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'dictionary'; readonly entries: ReadonlyMap<string, PdfValue> }
  | { readonly kind: 'array'; readonly items: readonly PdfValue[] }
  | { readonly kind: 'reference'; readonly number: number }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'string' | 'keyword' };

/** A value and where what follows it begins. */
export interface ParsedValue {
  readonly value: PdfValue;
  readonly end: number;
}

/** Deeper than any writer nests, and shallow enough for the stack. */
const DEEPEST = 100;

const WHITESPACE = '\0\t\n\f\r ';
const DELIMITERS = '()<>[]{}/%';
const REFERENCE = /(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+R(?![^\0\t\n\f\r ()<>[\]{}/%])/y;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;

function isRegular(character: string): boolean {
  return character !== '' && !WHITESPACE.includes(character) && !DELIMITERS.includes(character);
}

/** Where the next thing after white space and comments begins. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    if (text[at] === '%') while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at += 1;
    else if (WHITESPACE.includes(text.charAt(at))) at += 1;
    else break;
  }
  return at;
}

/** Where the regular characters that begin there end. */
function endOfWord(text: string, from: number): number {
  let at = from;
  while (isRegular(text.charAt(at))) at += 1;
  return at;
}

/** The name whose slash stands there; #4a is J, as every reader has it. */
export function readName(text: string, slash: number): { readonly name: string; readonly end: number } {
  const end = endOfWord(text, slash + 1);
  const name = text
    .slice(slash + 1, end)
    .replaceAll(/#([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return { name, end };
}

/** Reads the value that begins there, which may have space before it. Throws {@link PdfSyntaxError}. */
export function readValue(text: string, from: number, depth = 0): ParsedValue {
  if (depth > DEEPEST) throw new PdfSyntaxError('nested too deeply', from);
  const at = skipSpace(text, from);
  const character = text.charAt(at);
  if (character === '/') {
    const { name, end } = readName(text, at);
    return { value: { kind: 'name', name }, end };
  }
  if (character === '(') return { value: { kind: 'string' }, end: endOfString(text, at) };
  if (character === '[') return readArray(text, at + 1, depth);
  if (character === '<') {
    if (text[at + 1] === '<') return readDictionary(text, at + 2, depth);
    const close = text.indexOf('>', at);
    if (close === -1) throw new PdfSyntaxError('a string without its end', text.length);
    return { value: { kind: 'string' }, end: close + 1 };
  }
  return readWord(text, at);
}

function readWord(text: string, at: number): ParsedValue {
  REFERENCE.lastIndex = at;
  const reference = REFERENCE.exec(text);
  if (reference !== null)
    return { value: { kind: 'reference', number: Number(reference[1]) }, end: REFERENCE.lastIndex };
  const end = endOfWord(text, at);
  if (end === at) throw new PdfSyntaxError('no value where one belongs', at);
  const word = text.slice(at, end);
  return NUMBER.test(word)
    ? { value: { kind: 'number', number: Number(word) }, end }
    : { value: { kind: 'keyword' }, end };
}

function readArray(text: string, from: number, depth: number): ParsedValue {
  const items: PdfValue[] = [];
  for (let at = skipSpace(text, from); ; at = skipSpace(text, at)) {
    if (text[at] === ']') return { value: { kind: 'array', items }, end: at + 1 };
    const item = readValue(text, at, depth + 1);
    items.push(item.value);
    at = item.end;
  }
}

function readDictionary(text: string, from: number, depth: number): ParsedValue {
  const entries = new Map<string, PdfValue>();
  for (let at = skipSpace(text, from); ; at = skipSpace(text, at)) {
    if (text.startsWith('>>', at)) return { value: { kind: 'dictionary', entries }, end: at + 2 };
    if (text[at] !== '/') throw new PdfSyntaxError('a key that is no name', at);
    const key = readName(text, at);
    const item = readValue(text, key.end, depth + 1);
    entries.set(key.name, item.value);
    at = item.end;
  }
}

/** Parentheses balance inside a string, but for those after a backslash. */
function endOfString(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '(') depth += 1;
    else if (character === ')') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw new PdfSyntaxError('a string without its end', text.length);
}
