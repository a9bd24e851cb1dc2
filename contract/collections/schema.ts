import { z } from 'zod';
import { amount, calendarDate, freeText, money, optional, tag, text } from '#contract/fields.ts';
import { keysOf } from '#contract/keys.ts';
import { overdueBucketNames } from '#contract/payments/buckets.ts';
import { overdue } from '#contract/payments/overdue.ts';
import { promiseStates } from '#contract/payments/promises.ts';

/** The collection record: statements by client and buyer, and the officers' actions. */

/** The kinds of entries in the record of an advance. */
export const collectionKinds = {
  buyerLate: 'Client: the buyer will pay late',
  dispute: 'Buyer disputes the invoice',
  disputeEnded: 'Dispute ended',
  contact: 'Contact',
  promise: 'Promise to pay',
  note: 'Note',
} as const;
export type CollectionKind = keyof typeof collectionKinds;
const collectionKindCodes = keysOf(collectionKinds);

export const contactChannels = { call: 'Call', message: 'Message', visit: 'Visit' } as const;
export type ContactChannel = keyof typeof contactChannels;
export const contactChannelCodes = keysOf(contactChannels);

const NOTE_CHARACTERS = 1000;
const bucket = z.enum(overdueBucketNames);

/** The error message for a past date. */
export const PAST_DATE = 'Choose today or a later date';

/** A client says that their buyer will pay late. */
export const buyerLateBody = z.strictObject({
  date: calendarDate('Say when your buyer will pay'),
  reason: freeText(4, 'Say why your buyer pays late', NOTE_CHARACTERS),
});
export type BuyerLateBody = z.output<typeof buyerLateBody>;

/** An officer's entry. */
export const collectionBody = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('contact'),
    channel: z.enum(contactChannelCodes, 'Select how you reached them'),
    note: freeText(4, 'Say what was agreed', NOTE_CHARACTERS),
    nextStep: optional(text(2, 'Say what to do next', 200)),
    nextOn: optional(calendarDate('Provide the date of the next step')),
  }),
  z.strictObject({
    kind: z.literal('promise'),
    date: calendarDate('Say by when they will pay'),
    amount: amount('Amount is required'),
  }),
  z.strictObject({ kind: z.literal('note'), note: freeText(2, 'Write a note', NOTE_CHARACTERS) }),
  z.strictObject({ kind: z.literal('dispute'), note: freeText(4, 'Say what the buyer disputes', NOTE_CHARACTERS) }),
  z.strictObject({ kind: z.literal('disputeEnded'), note: freeText(4, 'Say how it ended', NOTE_CHARACTERS) }),
]);
export type CollectionBody = z.output<typeof collectionBody>;

const promise = z.strictObject({ date: z.iso.date(), amount: money, state: z.enum(promiseStates) });

/** An entry of the record, for officers. */
export const collectionEntry = z.strictObject({
  tag,
  kind: z.enum(collectionKindCodes),
  at: z.iso.datetime(),
  by: z.string(),
  note: z.string().nullable(),
  channel: z.enum(contactChannelCodes).nullable(),
  /** What to do next, and when; only for a contact. */
  nextStep: z.strictObject({ text: z.string(), on: z.iso.date().nullable() }).nullable(),
  /** Only for a promise to pay. */
  promise: promise.nullable(),
  /** When the buyer will pay, as the client said. */
  buyerPaysOn: z.iso.date().nullable(),
});
export type CollectionEntry = z.output<typeof collectionEntry>;

/** The record of an advance in a list, for officers. */
export const collectionSummary = z.strictObject({
  repaymentReference: z.string(),
  bucket: bucket.nullable(),
  disputed: z.boolean(),
  buyerPaysOn: z.iso.date().nullable(),
  lastContact: z.strictObject({ at: z.iso.datetime(), by: z.string() }).nullable(),
  nextStep: collectionEntry.shape.nextStep,
  promise: promise.nullable(),
});
export type CollectionSummary = z.output<typeof collectionSummary>;

/** How an advance is paid back. */
export const repaymentReply = z.strictObject({
  currency: z.string(),
  /** The amount still to pay back; 0 once it is settled, and before the payout. */
  outstanding: money,
  /** The due date; null before the payout. */
  dueOn: z.iso.date().nullable(),
  overdue: overdue.nullable(),
  bucket: bucket.nullable(),
  payTo: z.array(z.string()),
  repaymentReference: z.string(),
  /** The client's latest statement on when their buyer will pay. */
  buyerLate: z.strictObject({ date: z.iso.date(), reason: z.string(), at: z.iso.datetime() }).nullable(),
  /** Why the buyer disputes the invoice, while they do. */
  dispute: z.strictObject({ since: z.iso.datetime(), reason: z.string() }).nullable(),
  /** Whether the client may still say that their buyer will pay late. */
  mayTellLate: z.boolean(),
  /** Newest first; empty for a client. */
  entries: z.array(collectionEntry),
});
export type RepaymentReply = z.output<typeof repaymentReply>;
