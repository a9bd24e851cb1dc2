import { kampalaDate, sayDate } from '#contract/time/calendar.ts';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { maskedAccount, type NamedAccount, providers } from './account.ts';
import { isSameHolder } from './holder-names.ts';

/** Who holds an account by its provider, and what officers answer for where that is not who the client says. */

/** `none` and `closed`: nobody can be paid there. `unknown`: the provider did not answer. */
export type HolderState = 'active' | 'none' | 'closed' | 'unknown';

/** What a provider said when it was asked last; all null where it never was. */
export interface HolderAnswer {
  readonly holderState: HolderState | null;
  /** The name, where it said one. */
  readonly holderSaid: string | null;
  readonly holderAskedAt: Date | null;
}

/** An account with its provider's answer. `id` tells it from one that reads the same. */
type AskedAccount = NamedAccount & HolderAnswer & { readonly id: number };

/** For so long an answer serves, so that many clicks ask once. */
const SERVES_MS = MINUTE_MS;

/** Whether the provider is asked before the next step. What it did not answer is asked each time. */
export function isHolderAsked({ holderState, holderAskedAt }: HolderAnswer, now: Date): boolean {
  if (holderState === null || holderState === 'unknown' || holderAskedAt === null) return true;
  return now.getTime() - holderAskedAt.getTime() >= SERVES_MS;
}

/** Whether the provider says that nobody can be paid there. */
export function isInactive({ holderState }: Pick<HolderAnswer, 'holderState'>): boolean {
  return holderState === 'none' || holderState === 'closed';
}

/** What the provider said, as officers read it; null where it was not asked. */
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

/**
 * What an officer answers for by name: another holder than the account's, or none that the provider names. Null where they
 * fit, where nobody was asked, and where nobody can be paid, which has its own refusal.
 */
export function holderDifference(account: AskedAccount): string | null {
  const { holderState, holderSaid, holderAskedAt } = account;
  const { name } = providers[account.provider];
  const which = `${maskedAccount(account)} (account ${account.id})`;
  if (holderAskedAt === null) return null;
  // The day ends what was acknowledged: another day's silence is another one.
  if (holderState === 'unknown')
    return `${name} did not answer on ${sayDate(kampalaDate(holderAskedAt))} who holds ${which}`;
  if (holderState !== 'active') return null;
  if (holderSaid === null) return `${name} does not say who holds ${which}`;
  return isSameHolder(account.holderName, holderSaid) ? null : `${name} says: ${holderSaid}. The client says: ${which}`;
}
