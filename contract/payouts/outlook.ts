import type { Refusal } from '#contract/refusals/refusal.ts';
import { addDays, kampalaDate, midnightOf } from '#contract/time/calendar.ts';
import { addWorkingTime, type Holidays } from '#contract/time/working-time.ts';
import { usableFrom } from './account.ts';
import type { Obstacle } from './officers.ts';
import type { Payee } from './payee.ts';
import { refusalsOfPayee } from './payout.ts';
import type { PayoutRefusal, PayoutStep } from './schema.ts';
import type { Wallet } from './wallet-limits.ts';

/** Why an application's cash is not sent yet, and from when it can go: for its client and for officers. */

/** The facts that the acts decide on, of a payout that is due or open. */
export interface OutlookFacts {
  readonly now: Date;
  readonly holidays: Holidays;
  /** In minor units. */
  readonly amount: number;
  /** Undefined if the client must add or choose an account. `skipsWait` as expected, before its verification. */
  readonly payee: Payee | undefined;
  /** How long an account waits after its verification. */
  readonly accountWaitMs: number;
  /** Undefined if the account has no limit. */
  readonly wallet: Wallet | undefined;
  /** The prepared or released payout. `isHeld`: not sent, because its account was frozen or changed. */
  readonly open: { readonly releasedAt: Date | null; readonly isHeld: boolean } | undefined;
  /** By `obstaclesOf` for officers. Clients know only that they are late; the rest is our work. */
  readonly obstacle: Obstacle | undefined;
}

export interface PayoutOutlook {
  readonly step: PayoutStep;
  /** Why preparing or releasing would be refused now; undefined if it would not. */
  readonly refusal: PayoutRefusal | Obstacle | undefined;
  /** When the cash can go, in working time. Undefined if we cannot know, or it has gone. */
  readonly from: Date | undefined;
}

const stepOfRefusal = {
  PAYOUT_ACCOUNT_MISSING: 'askClient',
  PAYOUT_ACCOUNT_FROZEN: 'askClient',
  PAYOUT_ACCOUNT_REPLACED: 'askClient',
  PAYOUT_NUMBER_INACTIVE: 'askClient',
  ABOVE_WALLET: 'askClient',
  PAYOUT_ACCOUNT_UNVERIFIED: 'check',
  PAYOUT_ACCOUNT_NEW: 'wait',
  WALLET_FULL_TODAY: 'wait',
} as const satisfies Partial<Record<PayoutRefusal['code'], PayoutStep>>;

/** Obstacles that officers remove by themselves. */
const ourWork: readonly Obstacle['code'][] = ['FLAG_OPEN', 'SECOND_APPROVAL', 'APPROVAL_VOID'];

/** The next step of a payout, why it is not another one, and from when the cash can go. */
export function outlookOf(facts: OutlookFacts): PayoutOutlook {
  const { open, obstacle } = facts;
  if (open !== undefined && open.releasedAt !== null)
    return { step: open.isHeld ? 'stop' : 'follow', refusal: undefined, from: undefined };
  const refusal = refusalOfAccount(facts);
  if (refusal !== undefined) return { step: stepOfRefusal[refusal.code], refusal, from: usableAt(facts, refusal.code) };
  const nextWork = workFrom(facts, facts.now);
  if (obstacle !== undefined)
    return { step: 'clear', refusal: obstacle, from: ourWork.includes(obstacle.code) ? nextWork : undefined };
  return { step: open === undefined ? 'prepare' : 'release', refusal: undefined, from: nextWork };
}

type AccountRefusal = Refusal & { readonly code: keyof typeof stepOfRefusal };

/** Accounts come first, because they take the longest: officers clear the rest meanwhile. */
function refusalOfAccount({ payee, amount, ...facts }: OutlookFacts): AccountRefusal | undefined {
  if (payee === undefined) return { code: 'PAYOUT_ACCOUNT_MISSING' };
  return refusalsOfPayee({ ...facts, payee }, amount).find(isOfAccount);
}

function isOfAccount(refusal: PayoutRefusal): refusal is PayoutRefusal & AccountRefusal {
  return refusal.code in stepOfRefusal;
}

/** When the account can take the cash: by itself, or once we have called about it in working time. */
function usableAt(facts: OutlookFacts, code: AccountRefusal['code']): Date | undefined {
  const { now, payee, accountWaitMs } = facts;
  const skipsWait = payee?.skipsWait ?? false;
  const verifiedAt = code === 'PAYOUT_ACCOUNT_UNVERIFIED' ? workFrom(facts, now) : (payee?.verifiedAt ?? null);
  switch (code) {
    case 'PAYOUT_ACCOUNT_UNVERIFIED':
    case 'PAYOUT_ACCOUNT_NEW':
      return workFrom(facts, usableFrom({ verifiedAt, skipsWait }, accountWaitMs) ?? now);
    case 'WALLET_FULL_TODAY':
      return workFrom(facts, midnightOf(addDays(kampalaDate(now), 1)));
    default:
      return undefined;
  }
}

/** That moment if it is working time, or else the next opening. */
function workFrom({ holidays }: OutlookFacts, moment: Date): Date {
  return addWorkingTime(moment, 0, holidays);
}
