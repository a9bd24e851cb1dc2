/** What a mobile money account takes (docs/decisions/0047-rails.md): the providers' limits, as settings. Minor units. */

/** Without an amount there is no limit. */
export interface WalletLimits {
  readonly perPayment: number | undefined;
  readonly perDay: number | undefined;
}

/** Why a wallet cannot take a payout, with the most that it can take: at once whenever it is paid, or for the rest of today. */
interface WalletRefusal {
  readonly code: 'ABOVE_WALLET' | 'WALLET_FULL_TODAY';
  readonly most: number;
}

/** The most that a wallet takes in one payment; undefined for no limit. */
export function mostAtOnce({ perPayment, perDay }: WalletLimits): number | undefined {
  const most = Math.min(perPayment ?? Infinity, perDay ?? Infinity);
  return most === Infinity ? undefined : most;
}

/** Why a wallet that we sent so much to today cannot take that amount as well; undefined where it can. */
export function refusalOfWallet(amount: number, sentToday: number, limits: WalletLimits): WalletRefusal | undefined {
  const most = mostAtOnce(limits);
  if (most !== undefined && amount > most) return { code: 'ABOVE_WALLET', most };
  const left = Math.max(0, (limits.perDay ?? Infinity) - sentToday);
  return amount > left ? { code: 'WALLET_FULL_TODAY', most: left } : undefined;
}
