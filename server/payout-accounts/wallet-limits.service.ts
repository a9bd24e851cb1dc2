import { payoutAmount } from '#contract/payments/payout-amount.ts';
import { isWallet } from '#contract/payouts/account.ts';
import { mostInParts, partsOf, type Wallet, type WalletLimits } from '#contract/payouts/wallet-limits.ts';
import { kampalaDate, midnightOf } from '#contract/time/calendar.ts';
import type { Actor } from '#server/calls/caller.ts';
import type { Connection } from '#server/db/database.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context } from '#server/platform/work.ts';
import type { AccountRow } from './payout-accounts.queries.ts';
import { sumReleasedSince } from './payout-holds.queries.ts';

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

interface Receiver {
  readonly payee: Payee;
  readonly currency: string;
}

/** `amount` in minor units. */
interface AmountToSend extends Receiver {
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
 * The limits of accounts and the sums released to them today, by account and currency; undefined if it has no limits.
 * Reliable only while the account is locked.
 */
export async function findWallets(
  { platform, caller: { now } }: Context<Pick<Actor, 'now'>>,
  connection: Connection,
  payees: readonly Receiver[],
): Promise<(of: Receiver) => Wallet | undefined> {
  const limited = payees.filter(({ payee, currency }) => limitsOf(platform, payee, currency) !== undefined);
  const ids = [...new Set(limited.map(({ payee }) => payee.id))];
  const sums = ids.length === 0 ? [] : await sumReleasedSince(connection, ids, midnightOf(kampalaDate(now)));
  const sentTo = new Map(sums.map(({ accountId, sum }) => [accountId, sum]));
  return ({ payee, currency }) => {
    const limits = limitsOf(platform, payee, currency);
    return limits && { currency, limits, sentToday: sentTo.get(payee.id) ?? 0 };
  };
}

/** {@link findWallets} for one account. */
export async function findWallet(
  context: Context<Pick<Actor, 'now'>>,
  connection: Connection,
  receiver: Receiver,
): Promise<Wallet | undefined> {
  return (await findWallets(context, connection, [receiver]))(receiver);
}
