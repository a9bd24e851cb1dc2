import { PASSWORD_MINIMUM } from '#contract/accounts/password.ts';
import { readUsername } from '#contract/accounts/username.ts';
import { fieldError } from '#server/calls/app-error.ts';

let common: ReadonlySet<string> | undefined;

/**
 * About 18,000 leaked passwords of 8 characters or more, case-insensitive. Loaded when the first new password is set,
 * because the word lists take 15 MB (docs/decisions/0028-benches.md).
 */
async function mostCommon(): Promise<ReadonlySet<string>> {
  if (common !== undefined) return common;
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const long = dictionary['passwords-common'].filter((password) => password.length >= PASSWORD_MINIMUM);
  common = new Set(long.map((password) => password.toLowerCase()));
  return common;
}

/** Words that people think of first on this site (docs/security.md, 'Passwords'). */
const contextWords: ReadonlySet<string> = new Set([
  'kasente',
  'kasenteug',
  'kasenteuganda',
  'mykasente',
  'invoice',
  'invoices',
  'discount',
  'discounting',
  'factoring',
  'advance',
  'uganda',
  'kampala',
  'shilling',
  'shillings',
  'quickcredit',
]);

const likeLetters: Readonly<Record<string, string>> = { '@': 'a', '0': 'o', '1': 'i', '3': 'e', '5': 's', $: 's' };

/** Whether a password is one of those words with decorations, such as 'Kasente2026!', 'inv0ice-1' or 'K@sent3!'. */
function isContextWord(password: string): boolean {
  const swapped = (text: string) => text.replaceAll(/[@0135$]/g, (sign) => likeLetters[sign] ?? sign);
  const letters = (text: string) => text.replaceAll(/[^a-z]/g, '');
  const lower = password.toLowerCase();
  const core = lower.replaceAll(/^[^a-z]+|[^a-z]+$/g, ''); // digits around a word don't stand for letters
  return [letters(swapped(lower)), letters(swapped(core))].some((word) => contextWords.has(word));
}

/**
 * Refuses obvious passwords: the username in any spelling (PASSWORD_IS_USERNAME), the most common ones, and decorated
 * words of the product (PASSWORD_COMMON). The contract checks the length.
 */
export async function refuseGuessable(
  field: 'password' | 'newPassword',
  password: string,
  username: string,
): Promise<void> {
  if (readUsername(password)?.value === username) throw fieldError('PASSWORD_IS_USERNAME', field);
  const isCommon = (await mostCommon()).has(password.toLowerCase());
  if (isCommon || isContextWord(password)) throw fieldError('PASSWORD_COMMON', field);
}
