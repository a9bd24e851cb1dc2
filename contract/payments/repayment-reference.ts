import { readLookAlikes } from '#contract/text/look-alikes.ts';

/**
 * The reference of a repayment: seven characters for its application, and a check character. The alphabet leaves out
 * characters that look or sound like others (0 O, 1 I L, 2 Z, 5 S, 8 B, U V, Q). It has 23 characters, a prime number,
 * and each position has a different weight, so one wrong character or two swapped ones always change the sum.
 * PostgreSQL's `repayment_reference_of` creates references.
 */

export const REPAYMENT_ALPHABET = 'ACDEFGHJKMNPRTVWXY34679';

const LENGTH = 8;
const GROUP = 4;

const WELL_FORMED = new RegExp(`^[${REPAYMENT_ALPHABET}]{${LENGTH}}$`);

/** The weight of a position; the check character, in the last position, has weight 1. */
function weightOf(place: number): number {
  return LENGTH - place;
}

/** Dashes of every kind, the minus sign, and spaces. */
const SEPARATORS = /[\p{Pd}\u2212\s\p{Z}]+/gu;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Text with ordinary capitals and digits instead of full-width ones, '-' for each run of dashes and spaces, and no
 * invisible characters.
 */
export function plainForReferences(text: string): string {
  return text.replaceAll(INVISIBLE, '').normalize('NFKC').replaceAll(SEPARATORS, '-').toUpperCase();
}

/**
 * Reads a typed reference, without spaces and dashes; 'mistyped' if length and characters fit but the check fails,
 * undefined if the text is not a reference.
 */
export function readRepaymentReference(typed: string): { readonly reference: string } | 'mistyped' | undefined {
  const reference = plainForReferences(typed).replaceAll('-', '');
  if (isReference(reference)) return { reference };
  return WELL_FORMED.test(reference) ? 'mistyped' : undefined;
}

/**
 * References that differ from the typed one by a single wrong, missing or extra character, or by two swapped
 * neighbours.
 */
export function nearReferences(typed: string): string[] {
  const plain = plainForReferences(typed).replaceAll('-', '');
  const strange = Array.from(plain).filter((character) => !REPAYMENT_ALPHABET.includes(character));
  if (Math.abs(plain.length - LENGTH) > 1 || strange.length > 1) return [];
  const places = Array.from({ length: plain.length + 1 }, (_, place) => place);
  const candidates = places.flatMap((place) => {
    const [before, own, after] = [plain.slice(0, place), plain.charAt(place), plain.slice(place + 1)];
    const others = Array.from(REPAYMENT_ALPHABET, (other) => [before + other + after, before + other + own + after]);
    return [...others.flat(), before + after, before + after.charAt(0) + own + after.slice(1)];
  });
  return [...new Set(candidates.filter((one) => one !== plain && isReference(one)))];
}

/**
 * References hidden in a text: glued to other letters, with dots or slashes, with accents or look-alike letters of
 * other scripts, with one typing error in a word, or at its beginning or end. Only an officer may decide that such a
 * text is a reference.
 */
export function hiddenReferences(text: string): string[] {
  const read = readLookAlikes(plainForReferences(text));
  const all = read.replaceAll(/[^A-Z0-9]/g, '');
  const windows = Array.from({ length: Math.max(0, all.length - LENGTH + 1) }, (_, at) => all.slice(at, at + LENGTH));
  const words = read.split('-').map((word) => word.replaceAll(/[^A-Z0-9]/g, ''));
  const parts = words.flatMap((word, place) => [
    word,
    `${word}${words[place + 1] ?? ''}`,
    word.slice(0, LENGTH),
    word.slice(-LENGTH),
  ]);
  const near = [...new Set(parts)].flatMap(nearReferences);
  return [...new Set([...windows.filter(isReference), ...near])];
}

/**
 * Whether a text is a reference without separators. Allocates no memory: one statement line has thousands of
 * candidates.
 */
function isReference(plain: string): boolean {
  if (plain.length !== LENGTH) return false;
  let sum = 0;
  for (let place = 0; place < LENGTH; place += 1) {
    const value = REPAYMENT_ALPHABET.indexOf(plain.charAt(place));
    if (value === -1) return false;
    sum += value * weightOf(place);
  }
  return sum % REPAYMENT_ALPHABET.length === 0;
}

/** A reference for people to read: in two groups of four. */
export function sayRepaymentReference(reference: string): string {
  return `${reference.slice(0, GROUP)}-${reference.slice(GROUP)}`;
}
