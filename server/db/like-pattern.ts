/**
 * A LIKE pattern for text that contains the phrase: its own `%`, `_` and `\` mean themselves. Compare it, lower-cased
 * by the database, with lower-cased text.
 */
export function likePattern(phrase: string): string {
  return `%${phrase.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
