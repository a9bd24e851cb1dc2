import { kampalaDate, sayDate } from '#contract/time/calendar.ts';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { maskedAccount, type NamedAccount, providers } from './account.ts';
import { isSameHolder } from './holder-names.ts';

/**
 * The holder of an account according to its provider, and the differences from the client's details that an officer
 * must acknowledge.
 */

/** `none` and `closed`: nobody can be paid at that number. `unknown`: the provider did not answer. */
export type HolderState = 'active' | 'none' | 'closed' | 'unknown';

/** The provider's last answer; all null if nobody has asked. */
export interface HolderAnswer {
  readonly holderState: HolderState | null;
  /** The name, if the provider gave one. */
  readonly holderSaid: string | null;
  readonly holderAskedAt: Date | null;
}

/** An account with its provider's answer. `id` distinguishes it from an account with the same text. */
export type AskedAccount = NamedAccount & HolderAnswer & { readonly id: number };

/** How long we reuse an answer, so that many clicks ask the provider only once. */
const SERVES_MS = MINUTE_MS;

/** Whether to ask the provider before the next step. We repeat a question that got no answer each time. */
export function isHolderAsked({ holderState, holderAskedAt }: HolderAnswer, now: Date): boolean {
  if (holderState === null || holderState === 'unknown' || holderAskedAt === null) return true;
  return now.getTime() - holderAskedAt.getTime() >= SERVES_MS;
}

/** Whether the provider says that the number can't be paid to. */
export function isInactive({ holderState }: Pick<HolderAnswer, 'holderState'>): boolean {
  return holderState === 'none' || holderState === 'closed';
}

/** The provider's answer for officers; null if nobody has asked. */
export function sayHolder(account: Pick<AskedAccount, 'provider' | 'holderState' | 'holderSaid'>): string | null {
  const { name } = providers[account.provider];
  switch (account.holderState) {
    case null:
      return null;
    case 'active':
      return account.holderSaid === null
        ? `${name} does not say who holds this number`
        : `${name} says: ${account.holderSaid}`;
    case 'unknown':
      return `${name} did not answer who holds this number`;
    case 'none':
    case 'closed':
      return `${name} says that nobody has an active account with this number`;
  }
}

/** Whether the provider names the holder that the client named. */
export function isHolderNamed({ holderState, holderSaid, holderName }: AskedAccount): boolean {
  return holderState === 'active' && holderSaid !== null && isSameHolder(holderName, holderSaid);
}

/**
 * The difference that an officer must acknowledge: the provider names another holder, or none. Null if the names match,
 * if nobody has asked, or if the number can't be paid to, which has its own refusal.
 */
export function holderDifference(account: AskedAccount): string | null {
  const { holderState, holderSaid, holderAskedAt } = account;
  const { name } = providers[account.provider];
  const which = `${maskedAccount(account)} (account ${account.id})`;
  if (holderAskedAt === null) return null;
  // The date limits an acknowledgement: no answer on another day needs a new one.
  if (holderState === 'unknown')
    return `${name} did not answer on ${sayDate(kampalaDate(holderAskedAt))} who holds ${which}`;
  if (holderState !== 'active') return null;
  if (holderSaid === null) return `${name} does not say who holds ${which}`;
  return isSameHolder(account.holderName, holderSaid) ? null : `${name} says: ${holderSaid}. The client says: ${which}`;
}
