import { formatAmount, toMinor } from '#contract/money.ts';

/** What a mobile money account takes (docs/decisions/0047-rails.md): the providers' limits, as settings. Minor units. */

/** Without an amount there is no limit. What it takes in one payment can be sent: whole shillings in UGX. */
export interface WalletLimits {
  readonly perPayment: number | undefined;
  readonly perDay: number | undefined;
}

/** Why a wallet cannot take a payout, with the most that it can take: whenever it is paid, or for the rest of today. */
interface WalletRefusal {
  readonly code: 'ABOVE_WALLET' | 'WALLET_FULL_TODAY';
  readonly most: number;
}

/** More payments for one payout are nobody's wish. */
export const MOST_PARTS = 10;

/** The most that a wallet takes of one payout, in parts; undefined for no limit. */
export function mostInParts({ perPayment = Infinity, perDay = Infinity }: WalletLimits): number | undefined {
  const most = Math.min(perPayment * MOST_PARTS, perDay);
  return most === Infinity ? undefined : most;
}

/** Why a wallet that we sent so much to today cannot take that amount as well; undefined where it can. */
export function refusalOfWallet(amount: number, sentToday: number, limits: WalletLimits): WalletRefusal | undefined {
  const most = mostInParts(limits);
  if (most !== undefined && amount > most) return { code: 'ABOVE_WALLET', most };
  const left = Math.max(0, (limits.perDay ?? Infinity) - sentToday);
  return amount > left ? { code: 'WALLET_FULL_TODAY', most: left } : undefined;
}

/** The parts in which an amount goes to a wallet that may take it, in their order: as few as there can be. */
export function partsOf(amount: number, { perPayment = Infinity }: Pick<WalletLimits, 'perPayment'>): number[] {
  const parts: number[] = [];
  for (let left = amount; left > 0; left -= perPayment) parts.push(Math.min(left, perPayment));
  return parts;
}

/** How a payout goes in parts, of amounts as the wire has them: 'It goes in 2 parts: UGX 5,000,000, then UGX 3,000,000'. */
export function sayParts(parts: readonly number[], currency: string): string {
  const said = parts.map((part) => `${currency}\u00a0${formatAmount(toMinor(part))}`);
  return `It goes in ${parts.length} parts: ${said.join(', then ')}`;
}
