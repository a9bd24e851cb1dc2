import { z } from 'zod';
import { freeText, money, success, tag, text } from '#contract/fields.ts';
import { accountDay } from '#contract/statements/schema.ts';
import { transferStates } from './asking.ts';
import { refusals } from './refusals.ts';

/** One of the parts in which a payout goes to a wallet. */
const partOfPayout = z.strictObject({
  number: z.int().min(1),
  of: z.int().min(1),
  /** What follows once this part is paid. */
  rest: money,
  /** The parts that are paid, the first one first. */
  paid: z.array(z.strictObject({ amount: money, providerReference: z.string().nullable() })),
});

/** A payout that a rail sends, as its client and the officers follow it. */
export const shownTransfer = z.strictObject({
  tag,
  /** Whom people know it by, such as 'MTN mobile money'. */
  rail: z.string(),
  state: z.enum(transferStates),
  amount: money,
  /** Where it goes, masked. */
  to: z.string(),
  releasedAt: z.iso.datetime(),
  /** When the provider is asked next; null once it is known. */
  nextAskAt: z.iso.datetime().nullable(),
  knownAt: z.iso.datetime().nullable(),
  /** The provider's number of what was paid. */
  providerReference: z.string().nullable(),
  refusal: z.enum(refusals).nullable(),
  /** Whether nothing more is sent of it: its account was frozen, replaced or checked again since the release. */
  isHeld: z.boolean(),
  /** Null for a payout that goes at once. */
  part: partOfPayout.nullable(),
  /** For officers, of a payout that goes by file; null where a provider is called. */
  file: z
    .strictObject({
      /** What the bank's statement names it by. */
      reference: z.string(),
      /** The number of its batch; null while it is in none. */
      batch: z.int().nullable(),
      sentAt: z.iso.datetime().nullable(),
      payoutTag: tag,
    })
    .nullable(),
  /** For officers: the provider's own words, and who released it. */
  said: z.string().nullable(),
  releasedBy: z.string().nullable(),
});
export type ShownTransfer = z.output<typeof shownTransfer>;

/** An officer's proposal on how a transfer ended, where its provider is silent. */
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
 * A line of the payouts that are on their way, and of the requests to pay ('in') of which nothing is known for long: those
 * come from `to`, and `releasedBy` asked.
 */
export const openTransfer = z.strictObject({
  ...shownTransfer.shape,
  direction: z.enum(['out', 'in']),
  applicationTag: tag,
  invoiceNumber: z.string(),
  client: z.string(),
  currency: z.string(),
  /** Whether it took so long that officers were told. */
  isLate: z.boolean(),
  /** Whether two officers may end it by hand: it took that long, or a provider is to send it and did not yet. */
  mayEnd: z.boolean(),
  ending: openEnding.nullable(),
});
export type OpenTransfer = z.output<typeof openTransfer>;

/** Which day's transfers the provider is asked about. */
export const askingBody = z.strictObject(accountDay);
export type AskingBody = z.output<typeof askingBody>;

const count = z.int().min(0);

export const askedReply = success.extend({ data: z.strictObject({ asked: count, left: count }) });
export type AskedReply = z.output<typeof askedReply>;

/** What a provider said just now, and whether the transfer has ended. */
export const askedTransfer = z.strictObject({ said: z.string(), isEnded: z.boolean() });
export type AskedTransfer = z.output<typeof askedTransfer>;

/** How a transfer ended by the provider's record, where its status call does not say it; with its number where it was paid. */
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
