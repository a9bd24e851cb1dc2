import type { RailKind } from '#server/rail-port/rail.ts';

/** Settings that belong together. */

/** Minor units by currency code. */
export type AmountsByCurrency = ReadonlyMap<string, number>;

/** Funding limits and their rule of growth; a currency without an amount has a limit of 0. */
export interface LimitSettings {
  readonly start: AmountsByCurrency;
  readonly maximum: AmountsByCurrency;
  /** How many applications settled on time, since the limit was last set, earn a higher limit. */
  readonly growthAfter: number;
  readonly growthPercent: number;
  /** Only settlements of at least this share of the limit and this many days count. */
  readonly growthSizePercent: number;
  readonly growthDays: number;
  /** The highest limit; 0 for a currency without an amount. */
  readonly highest: AmountsByCurrency;
  /** Above this multiple of the starting limit, two officers decide. */
  readonly aloneTimes: number;
}

/** How advances are paid back. */
export interface RepaymentSettings {
  /** The lender's accounts by currency, as shown to people. */
  readonly accounts: ReadonlyMap<string, readonly string[]>;
  /** The days of reminders, counted from the due date, earliest first. */
  readonly reminderDays: readonly number[];
  /** While an advance is late by more days than this, the client can't submit anything new and gets no payouts. */
  readonly blocksAfterDays: number;
  /**
   * The price of a late day, in basis points of the unpaid part; 0 for none. Fixed for an application when it is
   * submitted.
   */
  readonly lateChargeBps: number;
}

/** The lender's accounts for repayments in a currency, as people read them. */
export function accountsIn(
  { repayment }: { readonly repayment: RepaymentSettings },
  currencyCode: string,
): readonly string[] {
  return repayment.accounts.get(currencyCode) ?? [];
}

/** The rails that this server knows, and how their transfers are followed. */
export interface RailSettings {
  readonly kinds: readonly RailKind[];
  /** The values of their settings, and NODE_ENV. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How long a provider has to answer. */
  readonly timeoutMs: number;
  /** How long a transfer may be without news before we notify officers. */
  readonly tellAfterMs: number;
  /**
   * The maximum that a mobile money wallet can receive at once and in a day; a currency without an amount has no limit.
   */
  readonly walletPerPayment: AmountsByCurrency;
  readonly walletPerDay: AmountsByCurrency;
  /** Whether a demonstration without provider settings simulates the providers. */
  readonly simulated: boolean;
}
