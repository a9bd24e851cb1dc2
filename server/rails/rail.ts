import type { ProviderCode } from '#contract/payouts/account.ts';
import { MINUTE_MS } from '#contract/time/durations.ts';
import type { Refusal } from '#contract/transfers/refusals.ts';

export { type Refusal, refusals } from '#contract/transfers/refusals.ts';

/**
 * The port of every rail (docs/decisions/0047-rails.md). A rail is a folder beside this file with its client, its provider's
 * states mapped onto ours, and its settings; the folder's `rail.ts` exports a `RailKind` as `rail`, and nothing else names it.
 */

/** What is sent or asked for. The same order has the same reference for ever: a provider takes a reference once. */
export interface Order {
  /** A UUID v4, fixed when the transfer's row is written. */
  readonly reference: string;
  /** Minor units; a whole amount of the currency's smallest sendable unit. */
  readonly amount: number;
  readonly currency: string;
  /** The account's number in plain form, such as 0772123456. */
  readonly number: string;
  /** For the provider's and the payer's records: the application's repayment reference. */
  readonly label: string;
}

/**
 * What a provider said. `unknown` is never failed: a lost answer, a timeout, a 5xx, an ambiguous state; it is asked again.
 * `notFound` is said by `ask` only: the provider has no such reference, so that the same order may be sent again.
 * `said` are the provider's own words, at most 200 characters, without secrets. `amount` is what was paid by the provider's
 * record, in minor units, where it says it.
 */
export type Answer =
  | { readonly state: 'taken' | 'notFound'; readonly said: string }
  | {
      readonly state: 'unknown';
      readonly said: string;
      /** Whether the provider did not answer at all: then it may be away. An ambiguous answer is one. */
      readonly isSilent?: boolean;
    }
  | {
      readonly state: 'succeeded';
      readonly said: string;
      readonly providerReference: string;
      readonly amount?: number;
      /** The day on which it was paid, where a statement says so; else it is the day on which we learn of it. */
      readonly paidOn?: string;
    }
  | { readonly state: 'failed'; readonly said: string; readonly refusal: Refusal };

/** Characters of what a provider said that are kept. */
export const LONGEST_SAID = 200;

/** Within this every provider finds what it has taken; Airtel may take as long (docs/decisions/0049-providers.md). */
export const FOUND_WITHIN_MS = 3 * MINUTE_MS;

/** Who holds a number. */
export type Holder =
  | { readonly state: 'active'; readonly name: string | null }
  | { readonly state: 'none' | 'closed' | 'unknown'; readonly said: string };

/** One direction of a rail. Never throws for what a provider or the network does: that is an answer. */
export interface Direction {
  send(order: Order, signal: AbortSignal): Promise<Answer>;
  ask(reference: string, signal: AbortSignal): Promise<Answer>;
}

export interface Rail {
  readonly payout: Direction;
  /** Requests to pay, on the payer's phone. */
  readonly collection: Direction;
  holder(number: string, signal: AbortSignal): Promise<Holder>;
  /** The reference that a callback's body names, or undefined where it is none of this provider's. */
  callbackReference(body: unknown): string | undefined;
  /** Where payouts go by file: our account that they are paid from, or undefined where that currency is paid by hand. */
  paidFrom?(currency: string): OwnAccount | undefined;
}

/** An account of ours. */
export interface OwnAccount {
  readonly number: string;
  readonly name: string;
}

/** Payouts of one currency that a bank makes together. Amounts in minor units. */
export interface PayoutBatch {
  /** 1, 2, 3 and so on, for people. */
  readonly number: number;
  readonly currency: string;
  readonly from: OwnAccount;
  readonly total: number;
  readonly payouts: readonly BatchedPayout[];
}

export interface BatchedPayout {
  /** What the bank's statement names it by: in the form of a repayment reference, and never the same as one. */
  readonly reference: string;
  readonly amount: number;
  readonly number: string;
  readonly holderName: string;
  readonly bankName: string | null;
}

/** What a rail is opened with. */
export interface RailGround {
  readonly now: () => Date;
  /** Where the provider calls back, or undefined where this server has no public address. */
  readonly callbackUrl: string | undefined;
}

/** A rail's description. `open` reads its own settings, and gives undefined where none is set: then it is done by hand. */
export interface RailKind {
  readonly id: string;
  /** As people know it, such as 'MTN mobile money'. */
  readonly name: string;
  /** Whose accounts it pays. */
  readonly provider: ProviderCode;
  readonly currencies: readonly string[];
  /** For how long the provider may not find what was sent to it; nothing where it always does. */
  readonly findsWithinMs?: number;
  /** What a phone may be asked for, in minor units; nothing where no limit is known. */
  readonly request?: { readonly least?: number; readonly usualMost?: number };
  /**
   * Writes the file of a batch, where nobody is called: officers carry it to the bank, and its statement says what became
   * of it (docs/decisions/0052-bank-by-file.md). The same batch is the same file for ever.
   */
  readonly writeFile?: (batch: PayoutBatch) => string;
  /** Its settings with what each must be, for the check at the start; secrets are never shown. */
  readonly settings: Readonly<Record<string, { readonly secret: boolean; readonly must: string }>>;
  /** Throws ConfigError for a wrong or half set of settings, and in production for an address that is a simulator's. */
  open(env: Readonly<Record<string, string | undefined>>, ground: RailGround): Rail | undefined;
}
