/** The forms of a search phrase (docs/decisions/0005). */
export interface PeopleSearch {
  /** The phrase as typed and, if it looks like a phone number, that number as it is stored. */
  readonly phrases: readonly [string, ...string[]];
  /** Whether the trigram index can find them: it needs three letters or digits in a row. */
  readonly indexed: boolean;
}

const IN_A_ROW = /[a-z0-9]{3}/i;

/**
 * Parses a search phrase; undefined if it is empty. '0700 000 001', '+256700000001' and '256 700' are searched as
 * stored (0700000001 and 0700) and as typed.
 */
export function readSearch(typed: string): PeopleSearch | undefined {
  const phrase = typed.trim().replaceAll(/\s+/g, ' ');
  if (phrase === '') return undefined;
  const phone = readPhonePart(phrase);
  const phrases: [string, ...string[]] = phone === undefined || phone === phrase ? [phrase] : [phrase, phone];
  return { phrases, indexed: phrases.every((text) => IN_A_ROW.test(text)) };
}

/** Part of a phone number without spaces and separators; 256 becomes 0 if enough digits follow. */
function readPhonePart(phrase: string): string | undefined {
  const digits = phrase.replaceAll(/[\s().-]/g, '');
  if (!/^\+?\d+$/.test(digits)) return undefined;
  return digits.replace(/^\+/, '').replace(/^256(?=\d{3})/, '0');
}
