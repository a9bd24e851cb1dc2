import { plainNumber, plainPhone } from '#contract/accounts/username.ts';
import { searchWords } from '#contract/text/search.ts';

/** A parsed search phrase of the users list (docs/decisions/0005). */
export interface PeopleSearch {
  /** A person matches if they have each term, in one of its spellings. */
  readonly terms: readonly (readonly string[])[];
  /** A person also matches if the name of their business has all these words. */
  readonly words: readonly string[];
}

/** From this many digits on, we look for the beginning of a number; fewer may be anywhere in it. */
const DIGITS_OF_A_PREFIX = 6;

/**
 * Parses a search phrase; undefined if it has neither letters nor digits. Adjacent groups of digits are one number,
 * which is searched for as typed and as we store phone numbers: '+256 (0)700-000 001' as 0700000001.
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

/** The spellings of a number: its digits as typed, and as a phone number or the beginning of one. */
function writingsOf(number: string): string[] {
  const digits = plainNumber(number).replaceAll('+', '');
  const phone = plainPhone(number);
  return digits.length >= DIGITS_OF_A_PREFIX && phone !== digits && /^\d+$/.test(phone) ? [digits, phone] : [digits];
}
