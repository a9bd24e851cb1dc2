/** Finds mistyped names of settings, which would otherwise be ignored silently. */

/** Shorter names are close to too many words. */
const SHORTEST = 6;
/** From this length on, a name with two typing errors is still closer to the setting than to another word. */
const LONG = 10;

/** Names of other programs that are close to one of ours. */
const OF_OTHERS: readonly string[] = ['DATABASE_USER', 'LOGLEVEL'];

/** A shorter first word names a program: SMS_URL, SNS_URL and SQS_URL belong to three. */
const SHORTEST_FIRST_WORD = 4;

/** The known name that an unknown one probably meant. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  return known
    .filter((other) => other.length >= SHORTEST && isNearByFirstWord(name, other))
    .map((other) => ({ other, slips: slipsBetween(name, other) }))
    .filter(({ other, slips }) => slips <= (other.length < LONG ? 1 : 2))
    .sort((one, two) => one.slips - two.slips)[0]?.other;
}

/**
 * The first word, up to `_`, identifies the program: equal, without its `_` or with an ending, or with one typing
 * error.
 */
function isNearByFirstWord(name: string, other: string): boolean {
  const [one = '', two = ''] = [name, other].map((whole) => whole.split('_')[0]);
  if (one.startsWith(two)) return true;
  return two.length >= SHORTEST_FIRST_WORD && slipsBetween(one, two) <= 1;
}

/**
 * A name in the environment that is nearly a setting's, and that setting. If both have one value, the other name belongs to
 * another program, or does no harm.
 */
export function findMistyped(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): { readonly name: string; readonly meant: string; readonly isMeantSet: boolean } | undefined {
  const isSet = (name: string): boolean => env[name] !== undefined && env[name] !== '';
  for (const name of Object.keys(env)) {
    if (!isSet(name) || known.includes(name) || OF_OTHERS.includes(name)) continue;
    const meant = nearest(name.toUpperCase(), known);
    if (meant !== undefined && env[meant] !== env[name]) return { name, meant, isMeantSet: isSet(meant) };
  }
  return undefined;
}

/**
 * The edit distance, with swapped neighbours as one. Packages count that commonest error as two, or are unmaintained.
 */
function slipsBetween(one: string, other: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        at(row, j - 1) + 1,
        at(last, j) + 1,
        at(last, j - 1) + (isSame ? 0 : 1),
        isSwapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, row];
  }
  return at(last, other.length);
}

function at(row: readonly number[] | undefined, index: number): number {
  return row?.[index] ?? Number.POSITIVE_INFINITY;
}
