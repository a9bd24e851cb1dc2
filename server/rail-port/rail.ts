import type { ProviderCode } from '#contract/payouts/account.ts';
import { MINUTE_MS } from '#contract/time/durations.ts';
import type { Refusal } from '#contract/transfers/refusals.ts';

/**
 * The port of every rail (docs/decisions/0047-rails.md). A rail is a folder in `server/rails/`, with its client, its
 * settings, and a mapping of its provider's states to ours. Its `rail.ts` exports a `RailKind` as `rail`; nothing else
 * names the folder.
 */

/**
 * An order to send money, or to ask for it. It keeps one reference for ever, and a provider accepts a reference once.
 */
export interface Order {
  /** A UUID v4, fixed when the transfer's row is written. */
  readonly reference: string;
  /** Minor units; a whole amount of the currency's smallest sendable unit. */
  readonly amount: number;
  readonly currency: string;
  /** The account's number in plain form, such as 0772123456. */
  readonly number: string;
  /** A label for the records of the provider and the payer: the application's repayment reference. */
  readonly label: string;
}

/**
 * A provider's answer. `unknown` never means failed, but a lost answer, a timeout, a 5xx or an ambiguous state; we ask
 * again. Only `ask` returns `notFound`: the provider does not know the reference, so the order may be sent again.
 * `failed` from `send` is a claim that `ask` must confirm, because a provider may refuse an order that it accepted.
 * `said`: the provider's own words, at most 200 characters, without secrets. `amount`: the amount paid according to the
 * provider, in minor units, if it reports one.
 */
export type Answer =
  | { readonly state: 'taken' | 'notFound'; readonly said: string }
  | {
      readonly state: 'unknown';
      readonly said: string;
      /** Whether the provider did not answer at all, and so may be away. An ambiguous answer counts as an answer. */
      readonly isSilent?: boolean;
    }
  | {
      readonly state: 'succeeded';
      readonly said: string;
      readonly providerReference: string;
      readonly amount?: number;
      /** The day of the payment, if a statement shows it; otherwise we use the day on which we learn of the payment. */
      readonly paidOn?: string;
    }
  | { readonly state: 'failed'; readonly said: string; readonly refusal: Refusal };

/** The most characters of a provider's words that are stored. */
export const LONGEST_SAID = 200;

/**
 * After this time every provider finds the orders that it accepted; Airtel may take this long
 * (docs/decisions/0049-providers.md).
 */
export const FOUND_WITHIN_MS = 3 * MINUTE_MS;

/** The holder of a number. */
export type Holder =
  | { readonly state: 'active'; readonly name: string | null }
  | { readonly state: 'none' | 'closed' | 'unknown'; readonly said: string };

/** One direction of a rail. Never throws because of a provider or the network: such failures are answers. */
export interface Direction {
  send(order: Order, signal: AbortSignal): Promise<Answer>;
  ask(reference: string, signal: AbortSignal): Promise<Answer>;
}

export interface Rail {
  readonly payout: Direction;
  /** Requests to pay, shown on the payer's phone. */
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
  /** 1, 2, 3 and so on, for people to read. */
  readonly number: number;
  readonly currency: string;
  readonly from: OwnAccount;
  readonly total: number;
  readonly payouts: readonly BatchedPayout[];
}

export interface BatchedPayout {
  /** The payout's reference on the bank's statement. It has the form of a repayment reference, but never equals one. */
  readonly reference: string;
  readonly amount: number;
  readonly number: string;
  readonly holderName: string;
  readonly bankName: string | null;
}

/** The dependencies of a rail when it is opened. */
export interface RailGround {
  readonly now: () => Date;
  /** The address for the provider's callbacks, or undefined if this server has no public address. */
  readonly callbackUrl: string | undefined;
}

/**
 * The description of a rail. `open` reads its settings, and returns undefined if none is set, in which case officers
 * pay by hand.
 */
export interface RailKind {
  readonly id: string;
  /** Its name for people, such as 'MTN mobile money'. */
  readonly name: string;
  /** The provider whose accounts it pays. */
  readonly provider: ProviderCode;
  readonly currencies: readonly string[];
  /** How long the provider may fail to find an order that was sent to it; undefined if it always finds it. */
  readonly findsWithinMs?: number;
  /** The limits of a request to pay, in minor units, as far as they are known. */
  readonly request?: { readonly least?: number; readonly usualMost?: number };
  /**
   * Writes the file of a batch, if the rail calls no provider: officers carry the file to the bank, and the bank's
   * statement shows the result (docs/decisions/0052-bank-by-file.md). The same batch always gives the same file.
   */
  readonly writeFile?: (batch: PayoutBatch) => string;
  /** Its settings, with the text of what each must be, for the check at the start. Secrets are never shown. */
  readonly settings: Readonly<Record<string, { readonly secret: boolean; readonly must: string }>>;
  /** Throws ConfigError if some settings are wrong or missing, and in production for a simulator's address. */
  open(env: Readonly<Record<string, string | undefined>>, ground: RailGround): Rail | undefined;
}
