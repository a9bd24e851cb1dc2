import { payoutAmount } from '#contract/payments/payout-amount.ts';
import { isWallet } from '#contract/payouts/account.ts';
import { mostInParts, partsOf, type Wallet, type WalletLimits } from '#contract/payouts/wallet-limits.ts';
import { kampalaDate, midnightOf } from '#contract/time/calendar.ts';
import type { Actor } from '#server/calls/caller.ts';
import type { Connection } from '#server/db/database.ts';
import type { AccountRow } from '#server/payout-accounts/payout-accounts.queries.ts';
import { sumReleasedSince } from '#server/payout-accounts/payout-holds.queries.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context } from '#server/platform/work.ts';

/**
 * The limits of a mobile money wallet when a provider sends the payout (docs/decisions/0047-rails.md). For a payment by
 * hand, officers must know the limits themselves.
 */

type Payee = Pick<AccountRow, 'id' | 'provider'>;

/** Undefined for a bank account, and if no provider sends the payout. */
function limitsOf({ config, rails }: Platform, { provider }: Payee, currency: string): WalletLimits | undefined {
  if (!isWallet(provider) || rails.payingTo(provider, currency) === undefined) return undefined;
  const { walletPerPayment, walletPerDay } = config.rails;
  const perPayment = walletPerPayment.get(currency);
  return {
    perPayment: perPayment === undefined ? undefined : payoutAmount(perPayment, currency),
    perDay: walletPerDay.get(currency),
  };
}

/** `amount` in minor units. */
interface AmountToSend {
  readonly payee: Payee;
  readonly currency: string;
  readonly amount: number;
}

/** The parts into which an amount is split for an account. */
export function partsFor(platform: Platform, { payee, currency, amount }: AmountToSend): number[] {
  const limits = limitsOf(platform, payee, currency);
  return limits === undefined ? [amount] : partsOf(amount, limits);
}

/** The account's limit for one payment if the amount exceeds it, or else undefined. */
export function exceededLimit(platform: Platform, { payee, currency, amount }: AmountToSend): number | undefined {
  const limits = limitsOf(platform, payee, currency);
  const most = limits && mostInParts(limits);
  return most !== undefined && amount > most ? most : undefined;
}

/**
 * An account's limits and the sum released to it today; undefined if it has no limits. Reliable only while the account
 * is locked.
 */
export async function findWallet(
  { platform, caller: { now } }: Context<Actor>,
  connection: Connection,
  { payee, currency }: { readonly payee: Payee; readonly currency: string },
): Promise<Wallet | undefined> {
  const limits = limitsOf(platform, payee, currency);
  if (limits === undefined) return undefined;
  return { currency, limits, sentToday: await sumReleasedSince(connection, payee.id, midnightOf(kampalaDate(now))) };
}
