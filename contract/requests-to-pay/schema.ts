import { z } from 'zod';
import { plainPhone } from '#contract/accounts/username.ts';
import { amount, money, optional, tag } from '#contract/fields.ts';
import { transferStates } from '#contract/transfers/asking.ts';
import { refusals } from '#contract/transfers/refusals.ts';
import { askedProviders, providerOfNumber } from './amount.ts';

/** Asks a client's phone to pay back (docs/decisions/0051-pay-now.md). */

const SAY_NUMBER = 'Enter the phone number';
const WRONG_NUMBER = 'Enter an MTN or Airtel number: 10 digits that begin with 07';

/** Which phone to ask: the person's own, a payout account's, or a typed number. */
const wallet = z.union([z.literal('own'), z.literal('other'), tag], 'Choose a phone');

/** The form of 'Pay now'; also the request body. Parses to the number in plain form. */
export const requestForm = z
  .strictObject({
    amount: amount('Enter the amount'),
    wallet,
    number: optional(z.string(SAY_NUMBER).max(100, WRONG_NUMBER)),
  })
  .transform(({ number, ...form }, context) => {
    const plain = plainPhone(number ?? '');
    if (form.wallet === 'other' && providerOfNumber(plain) === undefined)
      context.addIssue({ code: 'custom', path: ['number'], message: number === undefined ? SAY_NUMBER : WRONG_NUMBER });
    return { ...form, number: form.wallet === 'other' ? plain : undefined };
  });
export type RequestForm = z.output<typeof requestForm>;

/** A request to pay, for its client and for officers. */
export const shownRequest = z.strictObject({
  tag,
  provider: z.enum(askedProviders),
  state: z.enum(transferStates),
  amount: money,
  currency: z.string(),
  /** The phone's owner and number, masked. */
  from: z.string(),
  /** Until when the phone accepts an answer. */
  until: z.iso.datetime(),
  knownAt: z.iso.datetime().nullable(),
  /** The provider's reference for the payment. */
  providerReference: z.string().nullable(),
  refusal: z.enum(refusals).nullable(),
  /** For officers: the provider's own text, and who sent the request. */
  said: z.string().nullable(),
  askedBy: z.string().nullable(),
});
export type ShownRequest = z.output<typeof shownRequest>;

/** A phone number that the client needn't type. */
const shownWallet = z.strictObject({
  id: z.union([z.literal('own'), tag]),
  provider: z.enum(askedProviders),
  /** Masked: 'MTN ••• 678, Sarah Nabirye'. */
  label: z.string(),
});

/** A provider whose phones we can ask. */
const openProvider = z.strictObject({
  provider: z.enum(askedProviders),
  least: money,
  /** The maximum that a wallet usually pays at once; null if unknown. */
  usualMost: money.nullable(),
});

export const payNowReply = z.strictObject({
  invoiceNumber: z.string(),
  currency: z.string(),
  /** The debt, rounded to an amount that a phone can pay; 0 if there is none. */
  most: money,
  /** Empty if no phone can be asked, and always for officers. */
  providers: z.array(openProvider),
  wallets: z.array(shownWallet),
  /** The other way to pay: to one of the lender's accounts, with the reference. */
  payTo: z.array(z.string()),
  repaymentReference: z.string(),
  /** The newest first. */
  requests: z.array(shownRequest),
});
export type PayNowReply = z.output<typeof payNowReply>;
