/**
 * Compares the provider's name for a number with the account's name. People write theirs in any order and case, with or
 * without titles and accents, and shorten all but the surname.
 */

/** Titles, which are not part of a name. */
const titles: readonly string[] = [
  'mr',
  'mrs',
  'ms',
  'miss',
  'mister',
  'madam',
  'dr',
  'doctor',
  'prof',
  'professor',
  'eng',
  'engineer',
  'hon',
  'rev',
  'reverend',
  'fr',
  'pastor',
  'bishop',
  'canon',
  'sheikh',
  'sheik',
  'imam',
  'haji',
  'hajji',
  'alhaji',
  'hajat',
  'hajjat',
  'col',
  'maj',
  'capt',
  'sgt',
  'owek',
  'oweek',
  'arch',
  'cpa',
];

interface Name {
  readonly words: readonly string[];
  readonly initials: readonly string[];
}

/** The parts of a name, normalised and sorted. */
function read(text: string): Name {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}'’‘ʼ`]/gu, '')
    .toLowerCase();
  const parts = plain.split(/[^\p{L}]+/u).filter((part) => part !== '');
  const kept = parts.filter((part) => !titles.includes(part)).sort();
  return { words: kept.filter((part) => part.length > 1), initials: kept.filter((part) => part.length === 1) };
}

/** Removes matching words from both lists; `fits` decides whether two words match. */
function withoutPairs(
  ours: readonly string[],
  theirs: readonly string[],
  fits: (one: string, other: string) => boolean,
): { readonly ours: readonly string[]; readonly theirs: readonly string[]; readonly pairs: number } {
  const left = [...theirs];
  const unpaired = ours.filter((one) => {
    const index = left.findIndex((other) => fits(one, other));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  return { ours: unpaired, theirs: left, pairs: ours.length - unpaired.length };
}

/** Removes a word of one side if the other side writes it as two words. */
function withoutJoined(
  one: readonly string[],
  other: readonly string[],
): readonly [readonly string[], readonly string[]] {
  for (const [place, word] of one.entries()) {
    const index = other.findIndex((first) => other.some((second) => second !== first && first + second === word));
    if (index < 0) continue;
    const second = other.findIndex((rest) => other[index] + rest === word);
    return withoutJoined(
      one.filter((_word, at) => at !== place),
      other.filter((_word, at) => at !== index && at !== second),
    );
  }
  return [one, other];
}

const startsWith = (word: string, initial: string): boolean => word.startsWith(initial);

/**
 * Whether two names can belong to one person. Each whole word of one must be in the other, at least as its initial, and
 * at least one word must be whole in both. Further initials are ignored.
 */
export function isSameHolder(account: string, provider: string): boolean {
  const [ours, theirs] = [read(account), read(provider)];
  const whole = withoutPairs(ours.words, theirs.words, (one, other) => one === other);
  const [theirRest, ourSplit] = withoutJoined(whole.theirs, whole.ours);
  const [ourRest, theirSplit] = withoutJoined(ourSplit, theirRest);
  const joined = whole.ours.length + whole.theirs.length - ourRest.length - theirSplit.length;
  const ourWords = withoutPairs(ourRest, theirs.initials, startsWith);
  const theirWords = withoutPairs(theirSplit, ours.initials, startsWith);
  if (whole.pairs + joined === 0) return false;
  return ourWords.ours.length === 0 && theirWords.ours.length === 0;
}
