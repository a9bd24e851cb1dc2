import { fromMinor } from '#contract/money.ts';
import type { Answer, Order } from '#server/rail-port/rail.ts';

/** Fields of orders in the form that both mobile networks need. */

const LONGEST_NOTE = 160;

/** The amount in whole units; undefined if it is not whole, because no rail in Uganda takes decimals. */
export function wholeUnits({ amount }: Order): number | undefined {
  const units = fromMinor(amount);
  return Number.isSafeInteger(units) && units > 0 ? units : undefined;
}

/** The answer to an order without a whole amount, which is never sent. */
export const notWhole: Answer = { state: 'failed', refusal: 'misconfigured', said: 'not sent: no whole amount' };

/** A note in letters, digits and spaces: providers refuse an apostrophe, an ampersand and more. */
export function plainNote(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return plain
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .slice(0, LONGEST_NOTE);
}

/** A number in plain form, such as 0772123456, without the leading 0. */
export function nationalNumber(number: string): string {
  return number.replace(/^0/, '');
}
