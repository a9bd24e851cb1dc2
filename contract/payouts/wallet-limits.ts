import { formatAmount, toMinor } from '#contract/money.ts';
import type { PayoutRefusal } from './schema.ts';

/**
 * How much a mobile money wallet can receive (docs/decisions/0047-rails.md): the providers' limits, from the settings.
 * Minor units.
 */

/** Undefined means no limit. A single payment is rounded to what rails carry: whole shillings in UGX. */
export interface WalletLimits {
  readonly perPayment: number | undefined;
  readonly perDay: number | undefined;
}

/** Why a wallet cannot take a payout, and the most that it can take: at any time, or for the rest of today. */
interface WalletRefusal {
  readonly code: 'ABOVE_WALLET' | 'WALLET_FULL_TODAY';
  readonly most: number;
}

/** The maximum that a wallet can receive in one payout, in parts; undefined if there is no limit. */
export const MOST_PARTS = 10;

/** The maximum that a wallet can receive in one payout, in parts; undefined if there is no limit. */
export function mostInParts({ perPayment = Infinity, perDay = Infinity }: WalletLimits): number | undefined {
  const most = Math.min(perPayment * MOST_PARTS, perDay);
  return most === Infinity ? undefined : most;
}

/** Why a wallet cannot take an amount on top of what we sent to it today; undefined if it can. */
export function refusalOfWallet(amount: number, sentToday: number, limits: WalletLimits): WalletRefusal | undefined {
  const most = mostInParts(limits);
  if (most !== undefined && amount > most) return { code: 'ABOVE_WALLET', most };
  const left = Math.max(0, (limits.perDay ?? Infinity) - sentToday);
  return amount > left ? { code: 'WALLET_FULL_TODAY', most: left } : undefined;
}

/** A wallet that a provider pays to. */
export interface Wallet {
  readonly currency: string;
  readonly limits: WalletLimits;
  /** The amount released to the wallet today. */
  readonly sentToday: number;
}

/** {@link refusalOfWallet}, in words. */
export function refusalByWallet(amount: number, { currency, limits, sentToday }: Wallet): PayoutRefusal | undefined {
  const refusal = refusalOfWallet(amount, sentToday, limits);
  if (refusal === undefined) return undefined;
  const most = `${currency} ${formatAmount(refusal.most)}`;
  const more = refusal.code === 'ABOVE_WALLET' ? `It takes up to ${most}` : `It takes ${most} more today`;
  return { code: refusal.code, more };
}

/** The parts in which we send an amount to a wallet, in order: as few as possible. */
export function partsOf(amount: number, { perPayment = Infinity }: Pick<WalletLimits, 'perPayment'>): number[] {
  const parts: number[] = [];
  for (let left = amount; left > 0; left -= perPayment) parts.push(Math.min(left, perPayment));
  return parts;
}

/** Says the parts of a payout, from amounts on the wire: 'It goes in 2 parts: UGX 5,000,000, then UGX 3,000,000'. */
export function sayParts(parts: readonly number[], currency: string): string {
  const said = parts.map((part) => `${currency}\u00a0${formatAmount(toMinor(part))}`);
  return `It goes in ${parts.length} parts: ${said.join(', then ')}`;
}
