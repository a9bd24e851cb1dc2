import { z } from 'zod';
import { money, tag } from '#contract/fields.ts';
import { transferStates } from './asking.ts';
import { refusals } from './refusals.ts';

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
  /** For officers: the provider's own words, and who released it. */
  said: z.string().nullable(),
  releasedBy: z.string().nullable(),
});
export type ShownTransfer = z.output<typeof shownTransfer>;

/** A line of the payouts that are on their way. */
export const openTransfer = z.strictObject({
  ...shownTransfer.shape,
  applicationTag: tag,
  invoiceNumber: z.string(),
  client: z.string(),
  currency: z.string(),
  /** Whether it took so long that officers were told. */
  isLate: z.boolean(),
});
export type OpenTransfer = z.output<typeof openTransfer>;
