import { isSameHolder } from '#contract/payouts/holder-names.ts';
import { searchWords } from '#contract/text/search.ts';

/** Compares the payer on a statement's line with the businesses that we know. */

/** Words that banks add to a business's name, leave out or shorten. */
const fillers: readonly string[] = ['and', 'the', 'ltd', 'limited', 'plc', 'co', 'company', 'inc', 'llc', 'smc'];

/** Fewer letters begin many names by chance. */
const SHORTEST_BEGINNING = 5;

/** The words by which a business's name differs from others. */
export function nameWords(name: string): string[] {
  return searchWords(name).filter((word) => !fillers.includes(word));
}

/** Whether a payer can be this business: the words are the same, or the first ones, because banks cut long names. */
export function looksLike(payerName: string, business: string): boolean {
  const [payer, ours] = [nameWords(payerName), nameWords(business)];
  const numbers = (words: readonly string[]) => words.filter((word) => /\d/.test(word)).join(' ');
  if (numbers(payer) !== numbers(ours)) return false;
  const beginning = payer.join('');
  const isCut = beginning.length >= SHORTEST_BEGINNING && ours.join('').startsWith(beginning);
  return isCut || isSameHolder(ours.join(' '), payer.join(' '));
}

/** The businesses of an application. */
interface Parties {
  readonly client: string;
  readonly buyer: string;
}

/** Who paid, according to the line. The payment lowers the buyer's debt only if the payer looks like the buyer. */
export function payerOf(payerName: string | null, { client, buyer }: Parties): 'buyer' | 'client' {
  if (payerName === null || looksLike(payerName, client)) return 'client';
  return looksLike(payerName, buyer) ? 'buyer' : 'client';
}

/** The buyer of other invoices that the payer looks like, unless they look like a party of this application. */
export function otherBuyerOf(
  payerName: string | null,
  { client, buyer }: Parties,
  buyers: readonly string[],
): string | null {
  if (payerName === null || looksLike(payerName, client) || looksLike(payerName, buyer)) return null;
  return buyers.find((one) => looksLike(payerName, one)) ?? null;
}
