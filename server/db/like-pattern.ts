/**
 * A LIKE pattern for texts that contain the phrase, in which `%`, `_` and `\` are ordinary characters. The pattern is
 * in lower case, so lower-case the column as well.
 */
export function likePattern(phrase: string): string {
  return `%${phrase.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
