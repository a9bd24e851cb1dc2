import { plainNumber, plainPhone } from '#contract/accounts/username.ts';
import { searchWords } from '#contract/text/search.ts';

/** A search phrase of the users list (docs/decisions/0005). */
export interface PeopleSearch {
  /** What a person must have: each word, and each number in one of its writings. */
  readonly terms: readonly (readonly string[])[];
  /** What the name of a business must have instead. */
  readonly words: readonly string[];
}

/** Fewer digits may be any part of a number, not its beginning. */
const DIGITS_OF_A_PREFIX = 6;

/**
 * Reads a search phrase; undefined if it has neither letters nor digits. Digits that follow each other are one number,
 * which is looked for as typed and as we keep phone numbers: '+256 (0)700-000 001' as 0700000001.
 */
export function readSearch(typed: string): PeopleSearch | undefined {
  const words = searchWords(typed);
  if (words.length === 0) return undefined;
  const terms: string[][] = [];
  let number = '';
  const endNumber = (): void => {
    if (/\d/.test(number)) terms.push(writingsOf(number));
    number = '';
  };
  for (const part of typed.trim().split(/\s+/)) {
    if (/^\+?\d*$/.test(plainNumber(part))) {
      number += part;
    } else {
      endNumber();
      terms.push(...searchWords(part).map((word) => [word]));
    }
  }
  endNumber();
  return { terms, words };
}

/** The digits of a number as typed, and as a phone number's beginning or whole. */
function writingsOf(number: string): string[] {
  const digits = plainNumber(number).replaceAll('+', '');
  const phone = plainPhone(number);
  return digits.length >= DIGITS_OF_A_PREFIX && phone !== digits && /^\d+$/.test(phone) ? [digits, phone] : [digits];
}
