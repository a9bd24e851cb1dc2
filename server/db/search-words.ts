import { type RawBuilder, sql } from 'kysely';
import { likePattern } from './like-pattern.ts';

/** Three letters or digits in a row, the minimum for a trigram index. */
const IN_A_ROW = /[a-z0-9]{3}/;

/** Whether a search form (contract/text/search.ts) contains all of these words; false if there are none. */
export function hasWords(form: string, words: readonly string[]): RawBuilder<boolean> {
  if (words.length === 0) return sql<boolean>`false`;
  return sql<boolean>`(${sql.join(
    words.map((word) => hasWord(form, word)),
    sql` and `,
  )})`;
}

/**
 * Whether a search form contains a word. Uses `strpos` if the trigram index can't find the word: for LIKE, a generic
 * plan would read the whole index.
 */
export function hasWord(form: string, word: string): RawBuilder<boolean> {
  return IN_A_ROW.test(word)
    ? sql<boolean>`${sql.ref(form)} like ${likePattern(word)}`
    : sql<boolean>`strpos(${sql.ref(form)}, ${word}) > 0`;
}
