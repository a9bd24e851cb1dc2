import { z } from 'zod';
import { readAmount } from '#contract/amounts/read-amount.ts';
import { formatAmount, fromMinor, toMinor } from '#contract/money.ts';

/**
 * An amount in a form: a number, as sent to the server, if the text has one meaning, else the text as typed; '' if
 * empty.
 */
export const typedAmount = z.union([z.number(), z.string()]);
export type TypedAmount = z.output<typeof typedAmount>;

/** Reads typed text as an amount. */
export function amountIn(text: string, currency: string | undefined): TypedAmount {
  const { minor } = readAmount(text, currency);
  return minor === undefined ? text.trim() && text : fromMinor(minor);
}

/** The text of a field that is not being edited: with 2 decimals, or as typed. */
export function formatTyped(amount: TypedAmount): string {
  const minor = minorOf(amount);
  return minor === undefined ? String(amount) : formatAmount(minor, 2);
}

/** The amount to send to the server; 0 while the text is ambiguous. */
export function numberOf(amount: TypedAmount): number {
  return typeof amount === 'number' ? amount : 0;
}

/** The amount in minor units; undefined while there is none. */
export function minorOf(amount: TypedAmount): number | undefined {
  return typeof amount === 'number' ? toMinor(amount) : undefined;
}
