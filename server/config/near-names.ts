/** Names that were mistyped: without this they would be read by nobody, and say nothing. */

/** Shorter names are near to too many words. */
const SHORTEST = 6;
/** From this length on two slips are still more like the name than like another word. */
const LONG = 10;

/** Names of other programs that are near to one of ours. */
const OF_OTHERS: readonly string[] = ['DATABASE_USER', 'LOGLEVEL'];

/** A first word that is shorter says of whom a name is: SMS_URL, SNS_URL and SQS_URL are three programs'. */
const SHORTEST_FIRST_WORD = 4;

/** The known name that was probably meant by one that is not known. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  return known
    .filter((other) => other.length >= SHORTEST && isNearByFirstWord(name, other))
    .map((other) => ({ other, slips: slipsBetween(name, other) }))
    .filter(({ other, slips }) => slips <= (other.length < LONG ? 1 : 2))
    .sort((one, two) => one.slips - two.slips)[0]?.other;
}

/** The first word, up to `_`, tells programs apart: it is the same, goes on without its `_` or an ending, or has one slip. */
function isNearByFirstWord(name: string, other: string): boolean {
  const [one = '', two = ''] = [name, other].map((whole) => whole.split('_')[0]);
  if (one.startsWith(two)) return true;
  return two.length >= SHORTEST_FIRST_WORD && slipsBetween(one, two) <= 1;
}

/**
 * A name of the environment that is nearly one of ours, which is not set itself, and that one. Where the right one is set, the
 * other is somebody else's.
 */
export function findMistyped(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): { readonly name: string; readonly meant: string } | undefined {
  const isSet = (name: string): boolean => env[name] !== undefined && env[name] !== '';
  const unset = known.filter((name) => !isSet(name));
  for (const name of Object.keys(env)) {
    if (!isSet(name) || known.includes(name) || OF_OTHERS.includes(name)) continue;
    const meant = nearest(name.toUpperCase(), unset);
    if (meant !== undefined) return { name, meant };
  }
  return undefined;
}

/**
 * How many letters are missing, too many, wrong or swapped with the next. Packages count a swap, the commonest slip, as two, or
 * are not kept any more.
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
