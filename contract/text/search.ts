/**
 * Searches names of people and businesses by words in any order, ignoring case, accents and punctuation
 * (docs/decisions/0005-people-search.md).
 */

/** Characters that people use as an apostrophe. We remove them without a gap, so O'Brien becomes obrien. */
const APOSTROPHES = /['"`\u00b4\u02b9-\u02bf\u2018-\u201f\u2032-\u2036\uff07]/g;
const ACCENTS = /[\u0300-\u036f]/g;
/** Punctuation, symbols and invisible characters of NFKD text, without spaces. Migration 0070 has the same list. */
const PUNCTUATION =
  /[!-/:-@[-`{-~\u0080-\u009f\u00a1-\u00bf\u00d7\u00f7\u02b0-\u02ff\u200b-\u200f\u2010-\u2027\u202a-\u206f\u20a0-\u20cf\u2100-\u2bff\u3001-\u303f\ufeff]/g;

function withoutAccents(text: string): string {
  return text.replaceAll(APOSTROPHES, '').normalize('NFKD').replaceAll(ACCENTS, '').toLowerCase();
}

/** A text as the database stores it for searching: `search_form` of migration 0070. */
export function searchForm(text: string): string {
  return withoutAccents(text).replaceAll(PUNCTUATION, '');
}

/**
 * The words of a search phrase; each may occur anywhere in a {@link searchForm}. Punctuation separates words, because
 * the form contains them with and without a gap, except within an email address.
 */
export function searchWords(phrase: string): string[] {
  const words = phrase
    .split(/\s+/)
    .flatMap((part) => (part.includes('@') ? [part] : withoutAccents(part).split(PUNCTUATION)));
  return words
    .map(searchForm)
    .flatMap((word) => word.split(' '))
    .filter((word) => word !== '');
}
