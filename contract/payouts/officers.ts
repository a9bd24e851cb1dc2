import {
  type CaseFacts,
  isApprovalVoid,
  isExperienced,
  isSound,
  lackingToPrepare,
  lackingToRelease,
  mayAct,
} from '#contract/desk/case-facts.ts';
import { isOnlyApprover } from '#contract/desk/rules.ts';
import type { CaseRefusal } from '#contract/desk/schema.ts';
import type { Stage } from '#contract/flags/case-flags.ts';
import { flagsAreAcknowledged, type OpenFlag } from '#contract/flags/open-flags.ts';
import { type Refusal, type Rule, refusalsBy } from '#contract/refusals/refusal.ts';
import { type Recorder, refusalOfRelease } from './release.ts';
import type { PayoutKind } from './schema.ts';

/** Whether an officer may prepare or release a payout: shown on the case's screen, and decided under its lock. */

export interface PreparingFacts {
  readonly now: Date;
  /** When the officer stops being new; undefined if they are not new. */
  readonly newUntil: Date | undefined;
  /** Empty for the screen, which shows flags separately. */
  readonly openFlags: readonly OpenFlag[];
  /** The approved case; undefined for an amount that we already owe, for which we don't check the approval again. */
  readonly approval: CaseFacts | undefined;
}

export interface PayingFacts extends PreparingFacts {
  readonly kind: PayoutKind;
  /** The entries on the case recorded by the officer and by the preparer of the open payout. */
  readonly recorders: Recorders;
  readonly approvers: CaseFacts['approvers'];
}

export interface Recorders {
  readonly releaser: Recorder;
  /** Undefined while nothing is prepared. */
  readonly preparer: Recorder | undefined;
}

/** What stops every officer from paying: the approval, or an open flag. */
export type Obstacle = Refusal & { readonly code: CaseRefusal | 'FLAG_OPEN' };

type Approved = Pick<PreparingFacts, 'approval'>;

/** A rule about the approval, which passes if the approval is not checked again. */
function ofApproval<Why extends Refusal>(rule: Rule<CaseFacts, Why>): Rule<Approved, Why> {
  return ({ approval }) => approval && rule(approval);
}

const approvalsCount: Rule<CaseFacts, Obstacle> = (facts) =>
  isApprovalVoid(facts) ? { code: 'APPROVAL_VOID' } : undefined;

const hasApprovalsToPrepare: Rule<CaseFacts, Obstacle> = (facts) =>
  lackingToPrepare(facts) === undefined ? undefined : { code: 'SECOND_APPROVAL' };

const hasApprovalsToRelease: Rule<CaseFacts> = (facts) =>
  lackingToRelease(facts) === undefined ? undefined : { code: 'SECOND_APPROVAL' };

const hasChangedNothing: Rule<CaseFacts> = ({ approved }) =>
  approved?.hasChanged === true ? { code: 'OWN_CHANGE' } : undefined;

/** The only approver of a case may not also pay it out. */
const isNotOnlyApprover: Rule<CaseFacts> = ({ approvers, me }) =>
  isOnlyApprover(approvers, me) ? { code: 'ONLY_APPROVER' } : undefined;

const hasRecordedNothing: Rule<PayingFacts> = ({ kind, approvers, recorders }) => {
  const code = refusalOfRelease(kind, approvers, recorders);
  return code && { code };
};

const forEverybody: readonly Rule<Approved & Pick<PreparingFacts, 'openFlags'>, Obstacle>[] = [
  ofApproval(isSound),
  ofApproval(approvalsCount),
  ofApproval(hasApprovalsToPrepare),
  flagsAreAcknowledged,
];

/**
 * The only approver may prepare, and so may an officer who changed the client's people, because another officer
 * releases.
 */
const toPrepare: readonly Rule<PreparingFacts>[] = [isExperienced, ofApproval(mayAct), ...forEverybody];

const byApproval: readonly Rule<CaseFacts>[] = [
  mayAct,
  isSound,
  approvalsCount,
  hasChangedNothing,
  hasApprovalsToRelease,
  isNotOnlyApprover,
];

const toRelease: readonly Rule<PayingFacts>[] = [
  isExperienced,
  flagsAreAcknowledged,
  ...byApproval.map(ofApproval),
  hasRecordedNothing,
];

/** Why no officer may prepare or release a payout now, whoever they are. */
export function obstaclesOf(facts: Approved & Pick<PreparingFacts, 'openFlags'>): Obstacle[] {
  return refusalsBy(forEverybody, facts);
}

/** Why the officer may not prepare a payout. */
export function refusalsToPrepare(facts: PreparingFacts): Refusal[] {
  return refusalsBy(toPrepare, facts);
}

/** Why the officer may not release a payout. */
export function refusalsToRelease(facts: PayingFacts): Refusal[] {
  return refusalsBy(toRelease, facts);
}

/** Why the officer may not prepare or release the next payment; for the screen. */
export function refusalsOfNextPayout(facts: CaseFacts, { status, restOwed }: Stage, recorders: Recorders) {
  const isOwed = status === 'Settled' || restOwed > 0;
  if (!isOwed && status !== 'Approved') return { prepare: [], release: [] };
  // The surplus comes only after all of the cash.
  const kind = status === 'Settled' && restOwed === 0 ? 'surplus' : 'disbursement';
  const paying = { ...facts, kind, recorders, openFlags: [], approval: isOwed ? undefined : facts } as const;
  return { prepare: refusalsToPrepare(paying), release: refusalsToRelease(paying) };
}

/** Why the approvals of an approved case don't allow its payout by this officer, whatever was recorded since. */
export function refusalsByApproval(facts: CaseFacts): Refusal[] {
  return refusalsBy([isExperienced, ...byApproval], facts);
}
