import { closestMatch } from 'leven';

/** Finds mistyped names of settings, which would otherwise be ignored silently. */

/** Shorter names resemble too many words. */
const SHORTEST = 6;
/** A name of this length with two wrong letters is still closer to the setting than to another word. */
const LONG = 10;
/** Swapped letters are two edits. */
const MOST_EDITS = 2;

/** Other programs' names that resemble one of ours. */
const OF_OTHERS: readonly string[] = ['LOGLEVEL', 'SFTP_URL', 'SMB_URL', 'SMPP_URL', 'SMTP_SSL'];

/** The known name that an unknown one probably meant. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const candidates = known.filter((other) => other.length >= SHORTEST && name.startsWith(beginningOf(other)));
  return closestMatch(name, candidates, { maxDistance: MOST_EDITS });
}

/**
 * The beginning that a name must have to count as this setting. The first word, up to `_`, often identifies a program:
 * SMS_URL, SNS_URL and SQS_URL belong to three, HTTP_URL and SMTP_URL to two.
 */
function beginningOf(known: string): string {
  const [word = ''] = known.split('_');
  if (word.length <= 3) return word;
  return known.length < LONG ? word.charAt(0) : '';
}

/**
 * A name in the environment that is nearly a setting's, and that setting. If both have the same value, the other name
 * belongs to another program, or is harmless.
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
