/**
 * Compares payment references however they are written. The key has a reference's letters and digits: no spaces, dashes,
 * punctuation, accents or invisible characters, full-width forms as ordinary ones, A to Z in lower case. A number has no
 * leading zeros, because spreadsheets drop them. Parentheses stay, because the ids that we build need them
 * (contract/statements/known-lines.ts). PostgreSQL's reference_key() does the same (migration 0063).
 */
export function referenceKey(reference: string): string {
  return reference
    .replaceAll(NEWER, '')
    .normalize('NFKD')
    .replaceAll(LEFT_OUT, '')
    .replace(/^0+(?=[0-9]+$)/, '')
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Code points, not Unicode's classes: PostgreSQL may know another version of those. Other scripts keep their case, because
 * PostgreSQL folds that by locale.
 */
const LEFT_OUT = characterClass([
  // ASCII and Latin-1 but for letters, digits and parentheses
  String.raw`\u{0}-\u{27}\u{2a}-\u{2f}\u{3a}-\u{40}\u{5b}-\u{60}\u{7b}-\u{bf}\u{d7}\u{f7}`,
  // modifiers, accents and other marks
  String.raw`\u{2b9}-\u{36f}\u{1ab0}-\u{1aff}\u{1dc0}-\u{1dff}\u{20d0}-\u{20ff}\u{fe00}-\u{fe0f}\u{fe20}-\u{fe6f}`,
  // dashes, punctuation, signs and blanks of scripts
  String.raw`\u{55a}-\u{55f}\u{58a}\u{5be}\u{600}-\u{605}\u{60c}\u{61b}-\u{61f}\u{66a}-\u{66d}\u{6dd}\u{70f}`,
  String.raw`\u{890}-\u{891}\u{8e2}\u{115f}-\u{1160}\u{1400}\u{1680}\u{17b4}-\u{17b5}\u{1806}\u{180b}-\u{180f}`,
  String.raw`\u{3000}-\u{3004}\u{3008}-\u{3020}\u{3030}\u{30a0}\u{10d6e}\u{10ead}\u{110bd}\u{110cd}\u{13430}-\u{1343f}`,
  // spaces, dashes, quotation marks, direction marks, symbols
  String.raw`\u{2000}-\u{206f}\u{2190}-\u{2bff}\u{2e00}-\u{2e7f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}`,
  // private use, specials, tags
  String.raw`\u{e000}-\u{f8ff}\u{feff}\u{fff0}-\u{fffd}\u{e0000}-\u{e0fff}`,
]);

/** Left out before normalising: characters since Unicode 15, which PostgreSQL 15 does not decompose yet. */
const NEWER = characterClass([
  String.raw`\u{a7f1}\u{105c9}\u{105e4}\u{11383}\u{11385}\u{1138e}\u{11391}\u{113c5}\u{113c7}-\u{113c8}`,
  String.raw`\u{16d68}-\u{16d6a}\u{1ccd6}-\u{1ccf9}\u{1e030}-\u{1e06d}`,
]);

function characterClass(ranges: readonly string[]): RegExp {
  return new RegExp(`[${ranges.join('')}]`, 'gu');
}
