/**
 * The reference of a repayment: seven characters for its application, and a check character. The alphabet leaves out
 * characters that look or sound like others (0 O, 1 I L, 2 Z, 5 S, 8 B, U V, Q). It has 23, a prime, and each place
 * another weight: one wrong character, or two swapped ones, always change the sum. Migration 0034 makes the references.
 */

export const REPAYMENT_ALPHABET = 'ACDEFGHJKMNPRTVWXY34679';

const LENGTH = 8;
const GROUP = 4;

/** The weight of a place; that of the check character, the last one, is 1. */
function weightOf(place: number): number {
  return LENGTH - place;
}

function isSound(characters: readonly number[]): boolean {
  const sum = characters.reduce((total, value, place) => total + value * weightOf(place), 0);
  return sum % REPAYMENT_ALPHABET.length === 0;
}

/**
 * Reads a typed reference, without spaces and dashes; 'mistyped' if length and characters fit but the check fails,
 * undefined if it is something else.
 */
export function readRepaymentReference(typed: string): { readonly reference: string } | 'mistyped' | undefined {
  const reference = typed.replaceAll(/[\s-]/gu, '').toUpperCase();
  const characters = Array.from(reference, (character) => REPAYMENT_ALPHABET.indexOf(character));
  if (characters.length !== LENGTH || characters.includes(-1)) return undefined;
  return isSound(characters) ? { reference } : 'mistyped';
}

/** References that differ from the typed one by one character, or by two swapped neighbours. */
export function nearReferences(typed: string): string[] {
  const plain = typed.replaceAll(/[\s-]/gu, '').toUpperCase();
  if (plain.length !== LENGTH) return [];
  const candidates = Array.from(plain, (own, place) => {
    const [before, next, after] = [plain.slice(0, place), plain.charAt(place + 1), plain.slice(place + 2)];
    const changed = Array.from(REPAYMENT_ALPHABET, (other) => `${before}${other}${next}${after}`);
    return [...changed, `${before}${next}${own}${after}`];
  }).flat();
  return [...new Set(candidates)].filter((one) => one !== plain && isReference(one));
}

function isReference(text: string): boolean {
  return typeof readRepaymentReference(text) === 'object';
}

/** A reference for people to read: in two groups of four. */
export function sayRepaymentReference(reference: string): string {
  return `${reference.slice(0, GROUP)}-${reference.slice(GROUP)}`;
}
