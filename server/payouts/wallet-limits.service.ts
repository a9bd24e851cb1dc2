import { formatAmount } from '#contract/money.ts';
import { payoutAmount } from '#contract/payments/payout-amount.ts';
import { isWallet } from '#contract/payouts/account.ts';
import { partsOf, refusalOfWallet, type WalletLimits } from '#contract/payouts/wallet-limits.ts';
import { kampalaDate, midnightOf } from '#contract/time/calendar.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Change } from '#server/db/transaction.ts';
import type { AccountRow } from '#server/payout-accounts/payout-accounts.queries.ts';
import { sumReleasedSince } from '#server/payout-accounts/payout-holds.queries.ts';
import type { Platform } from '#server/platform/platform.ts';

/**
 * What a mobile money wallet takes if a provider sends the payout (docs/decisions/0047-rails.md). For a payment by hand
 * the officer has to know.
 */

type Payee = Pick<AccountRow, 'id' | 'provider'>;

/** Undefined if no provider sends it, and for a bank account. */
function limitsOf({ config, rails }: Platform, { provider }: Payee, currency: string): WalletLimits | undefined {
  if (!isWallet(provider) || rails.payingTo(provider, currency) === undefined) return undefined;
  const { walletPerPayment, walletPerDay } = config.rails;
  const perPayment = walletPerPayment.get(currency);
  return {
    perPayment: perPayment === undefined ? undefined : payoutAmount(perPayment, currency),
    perDay: walletPerDay.get(currency),
  };
}

/** The parts in which an account takes an amount. */
export function partsFor(platform: Platform, payee: Payee, currency: string, amount: number): number[] {
  const limits = limitsOf(platform, payee, currency);
  return limits === undefined ? [amount] : partsOf(amount, limits);
}

/** The most that an account takes if the amount is above it, else undefined. */
export function exceededLimit(platform: Platform, payee: Payee, currency: string, amount: number): number | undefined {
  const limits = limitsOf(platform, payee, currency);
  return limits && refusalOfWallet(amount, 0, limits)?.most;
}

/** Throws ABOVE_WALLET or WALLET_FULL_TODAY, with what a locked account takes, if the amount is above it. */
export async function refuseAboveWallet(
  platform: Platform,
  change: Change,
  payee: Payee,
  { amount, currency, now }: { readonly amount: number; readonly currency: string; readonly now: Date },
): Promise<void> {
  const limits = limitsOf(platform, payee, currency);
  if (limits === undefined) return;
  const sentToday = await sumReleasedSince(change, payee.id, midnightOf(kampalaDate(now)));
  const refusal = refusalOfWallet(amount, sentToday, limits);
  if (refusal === undefined) return;
  const most = `${currency} ${formatAmount(refusal.most)}`;
  throw new AppError(refusal.code, {
    more: refusal.code === 'ABOVE_WALLET' ? `It takes up to ${most}` : `It takes ${most} more today`,
  });
}
