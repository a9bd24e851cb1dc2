import type { ProviderCode } from '#contract/payouts/account.ts';
import { MINUTE_MS } from '#contract/time/durations.ts';
import type { Refusal } from '#contract/transfers/refusals.ts';

/**
 * The port of every rail (docs/decisions/0047-rails.md). A rail is a folder in `server/rails/`, with its client, its
 * settings, and a mapping of its provider's states to ours. Its `rail.ts` exports a `RailKind` as `rail`; nothing else
 * names the folder.
 */

/** What to send or ask for. An order keeps one reference for ever, and a provider takes a reference once. */
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
 * A provider's answer. `unknown` never means failed: a lost answer, a timeout, a 5xx, an ambiguous state; we ask again.
 * Only `ask` returns `notFound`: the provider has no such reference, so the order may be sent again. `failed` from `send`
 * is a claim that `ask` must confirm: a provider may refuse what it has taken. `said`: the
 * provider's own words, at most 200 characters, without secrets. `amount`: what was paid by the provider's record, in
 * minor units, if it tells.
 */
export type Answer =
  | { readonly state: 'taken' | 'notFound'; readonly said: string }
  | {
      readonly state: 'unknown';
      readonly said: string;
      /** Whether the provider did not answer at all, and so may be away. An ambiguous answer counts as one. */
      readonly isSilent?: boolean;
    }
  | {
      readonly state: 'succeeded';
      readonly said: string;
      readonly providerReference: string;
      readonly amount?: number;
      /** The day of the payment, if a statement tells; otherwise it is the day on which we learn of it. */
      readonly paidOn?: string;
    }
  | { readonly state: 'failed'; readonly said: string; readonly refusal: Refusal };

/** The most characters of a provider's words that are stored. */
export const LONGEST_SAID = 200;

/** Within this every provider finds what it has taken; Airtel may take as long (docs/decisions/0049-providers.md). */
export const FOUND_WITHIN_MS = 3 * MINUTE_MS;

/** Who holds a number. */
export type Holder =
  | { readonly state: 'active'; readonly name: string | null }
  | { readonly state: 'none' | 'closed' | 'unknown'; readonly said: string };

/** One direction of a rail. Never throws because of a provider or the network: that is an answer. */
export interface Direction {
  send(order: Order, signal: AbortSignal): Promise<Answer>;
  ask(reference: string, signal: AbortSignal): Promise<Answer>;
}

export interface Rail {
  readonly payout: Direction;
  /** Requests to pay, on the payer's phone. */
  readonly collection: Direction;
  holder(number: string, signal: AbortSignal): Promise<Holder>;
  /** The reference in a callback's body, or undefined if the body is not this provider's. */
  callbackReference(body: unknown): string | undefined;
  /** For payouts by file: our account that pays them, or undefined if that currency is paid by hand. */
  paidFrom?(currency: string): OwnAccount | undefined;
}

/** An account of ours. */
export interface OwnAccount {
  readonly number: string;
  readonly name: string;
}

/** Payouts of one currency that a bank pays together. Amounts in minor units. */
export interface PayoutBatch {
  /** 1, 2, 3 and so on, for people. */
  readonly number: number;
  readonly currency: string;
  readonly from: OwnAccount;
  readonly total: number;
  readonly payouts: readonly BatchedPayout[];
}

export interface BatchedPayout {
  /** Its reference on the bank's statement: has the form of a repayment reference, but never equals one. */
  readonly reference: string;
  readonly amount: number;
  readonly number: string;
  readonly holderName: string;
  readonly bankName: string | null;
}

/** What opens a rail. */
export interface RailGround {
  readonly now: () => Date;
  /** Where the provider calls back, or undefined if this server has no public address. */
  readonly callbackUrl: string | undefined;
}

/** A rail's description. `open` reads its settings, and returns undefined if none is set: then officers pay by hand. */
export interface RailKind {
  readonly id: string;
  /** Its name for people, such as 'MTN mobile money'. */
  readonly name: string;
  /** The provider whose accounts it pays. */
  readonly provider: ProviderCode;
  readonly currencies: readonly string[];
  /** How long the provider may not find what was sent to it; undefined if it always finds it. */
  readonly findsWithinMs?: number;
  /** The limits of a request to pay, in minor units, as far as they are known. */
  readonly request?: { readonly least?: number; readonly usualMost?: number };
  /**
   * Writes the file of a batch, if the rail calls nobody: officers carry it to the bank, and the bank's statement tells
   * the result (docs/decisions/0052-bank-by-file.md). A batch always gives the same file.
   */
  readonly writeFile?: (batch: PayoutBatch) => string;
  /** Its settings and what each must be, for the check at the start; secrets are never shown. */
  readonly settings: Readonly<Record<string, { readonly secret: boolean; readonly must: string }>>;
  /** Throws ConfigError if some settings are wrong or missing, and in production for a simulator's address. */
  open(env: Readonly<Record<string, string | undefined>>, ground: RailGround): Rail | undefined;
}
