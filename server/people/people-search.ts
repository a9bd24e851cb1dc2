/** What a search phrase is looked for as (docs/decisions/0005). */
export interface PeopleSearch {
  /** The phrase as typed; and, where it reads as a phone number, that number as it is kept. */
  readonly phrases: readonly [string, ...string[]];
  /** Whether the trigram index can find them: it needs three letters or digits in a row. */
  readonly indexed: boolean;
}

const IN_A_ROW = /[a-z0-9]{3}/i;

/**
 * Reads a search phrase; undefined when it is empty. '0700 000 001', '+256700000001' and '256 700' are looked for as
 * they are kept, 0700000001 and 0700, and as typed.
 */
export function readSearch(typed: string): PeopleSearch | undefined {
  const phrase = typed.trim().replaceAll(/\s+/g, ' ');
  if (phrase === '') return undefined;
  const phone = readPhonePart(phrase);
  const phrases: [string, ...string[]] = phone === undefined || phone === phrase ? [phrase] : [phrase, phone];
  return { phrases, indexed: phrases.every((text) => IN_A_ROW.test(text)) };
}

/** Part of a phone number without spaces and separators; 256 stands for 0 where enough follows to mean a number. */
function readPhonePart(phrase: string): string | undefined {
  const digits = phrase.replaceAll(/[\s().-]/g, '');
  if (!/^\+?\d+$/.test(digits)) return undefined;
  return digits.replace(/^\+/, '').replace(/^256(?=\d{3})/, '0');
}
