import { z } from 'zod';
import { freeText, money, success, tag, text } from '#contract/fields.ts';
import { accountDay } from '#contract/statements/schema.ts';
import { transferStates } from './asking.ts';
import { refusals } from './refusals.ts';

/** One part of a payout to a wallet. */
const partOfPayout = z.strictObject({
  number: z.int().min(1),
  of: z.int().min(1),
  /** The amount of the later parts. */
  rest: money,
  /** The paid parts, in order. */
  paid: z.array(z.strictObject({ amount: money, providerReference: z.string().nullable() })),
});

/** A payout over a rail, for its client and for officers. */
export const shownTransfer = z.strictObject({
  tag,
  /** The rail's name for people, such as 'MTN mobile money'. */
  rail: z.string(),
  state: z.enum(transferStates),
  amount: money,
  /** The account it goes to, masked. */
  to: z.string(),
  releasedAt: z.iso.datetime(),
  /** When we ask the provider next; null once the end is known. */
  nextAskAt: z.iso.datetime().nullable(),
  knownAt: z.iso.datetime().nullable(),
  /** The provider's number of the payment. */
  providerReference: z.string().nullable(),
  refusal: z.enum(refusals).nullable(),
  /** Whether we stopped sending because the account was frozen, replaced or checked again after the release. */
  isHeld: z.boolean(),
  /** Null for a payout that is sent at once. */
  part: partOfPayout.nullable(),
  /** For officers, about a payout by file; null over a rail. */
  file: z
    .strictObject({
      /** Its reference on the bank's statement. */
      reference: z.string(),
      /** The number of its batch; null before it is in one. */
      batch: z.int().nullable(),
      sentAt: z.iso.datetime().nullable(),
      payoutTag: tag,
    })
    .nullable(),
  /** For officers: the provider's own words, and the officer who released it. */
  said: z.string().nullable(),
  releasedBy: z.string().nullable(),
});
export type ShownTransfer = z.output<typeof shownTransfer>;

/** An officer's proposal on how a transfer ended while the provider gives no answer. */
const openEnding = z.strictObject({
  tag,
  outcome: z.enum(['paid', 'notPaid']),
  providerReference: z.string().nullable(),
  reason: z.string(),
  proposedBy: z.string(),
  /** Whether the reader proposed it; another officer must confirm it. */
  isOwn: z.boolean(),
});

/**
 * A payout on its way, or a late request to pay (`in`). For a request `to` is the payer, and `releasedBy` the person
 * who requested it.
 */
export const openTransfer = z.strictObject({
  ...shownTransfer.shape,
  direction: z.enum(['out', 'in']),
  applicationTag: tag,
  invoiceNumber: z.string(),
  client: z.string(),
  clientTag: tag,
  currency: z.string(),
  /** Whether we notified officers that it is late. */
  isLate: z.boolean(),
  /** Whether two officers may end it by hand: it is late, or the provider hasn't received it yet. */
  mayEnd: z.boolean(),
  ending: openEnding.nullable(),
});
export type OpenTransfer = z.output<typeof openTransfer>;

/** The day whose transfers we ask the provider about. */
export const askingBody = z.strictObject(accountDay);
export type AskingBody = z.output<typeof askingBody>;

const count = z.int().min(0);

export const askedReply = success.extend({ data: z.strictObject({ asked: count, left: count }) });
export type AskedReply = z.output<typeof askedReply>;

/** The provider's answer now, and whether the transfer has ended. */
export const askedTransfer = z.strictObject({ said: z.string(), isEnded: z.boolean() });
export type AskedTransfer = z.output<typeof askedTransfer>;

/**
 * How a transfer ended according to the provider's record, if its status call doesn't say; with the number if it was
 * paid.
 */
export const endingBody = z
  .strictObject({
    outcome: z.enum(['paid', 'notPaid'], 'Select how it ended'),
    providerReference: text(0, '', 60).optional(),
    reason: freeText(4, 'Say how you know this', 500),
  })
  .refine(({ outcome, providerReference = '' }) => outcome === 'notPaid' || providerReference.length > 1, {
    path: ['providerReference'],
    error: 'Enter the number of the payment',
  });
export type EndingBody = z.output<typeof endingBody>;

export const endingAnswer = z.strictObject({ endingTag: tag });
export type EndingAnswer = z.output<typeof endingAnswer>;
