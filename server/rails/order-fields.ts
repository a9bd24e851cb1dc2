import { fromMinor } from '#contract/money.ts';
import type { Answer, Order } from './rail.ts';

/** What both mobile networks want of an order's fields. */

const LONGEST_NOTE = 160;

/** The amount in whole units, or undefined: no rail of Uganda takes decimals. */
export function wholeUnits({ amount }: Order): number | undefined {
  const units = fromMinor(amount);
  return Number.isSafeInteger(units) && units > 0 ? units : undefined;
}

/** What is answered to an order that is no whole amount: it is refused before anything is sent. */
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
