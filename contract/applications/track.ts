import { type Status, type StepName, steps } from './lifecycle.ts';
import type { TimelineStep } from './progress.ts';

/** How far an application is: the track on top of its screen. */

export const stages = ['sent', 'checked', 'approved', 'cash', 'paidBack'] as const;
export type Stage = (typeof stages)[number];

export interface Track {
  /** The stage under way; undefined if all are done. */
  readonly stage: Stage | undefined;
  /** Who acts next; undefined if nobody needs to. */
  readonly next: 'client' | 'us' | undefined;
}

type Taken = Pick<TimelineStep, 'step'>;

/** The track of an application; undefined for a draft, and for one that ended without a payout. Steps oldest first. */
export function trackOf(status: Status, taken: readonly Taken[]): Track | undefined {
  switch (status) {
    case 'Submitted':
    case 'In Review':
      return { stage: latestClientStep(taken)?.step === 'acceptOfferFirst' ? 'approved' : 'checked', next: 'us' };
    case 'Info Requested':
      return { stage: 'checked', next: 'client' };
    case 'Counter-offered':
      return { stage: 'approved', next: 'client' };
    case 'Approved':
      return { stage: 'cash', next: 'us' };
    case 'Disbursed':
      return { stage: 'paidBack', next: 'client' };
    case 'Settled':
      return { stage: undefined, next: undefined };
    case 'Draft':
    case 'Declined':
    case 'Withdrawn':
    case 'Cancelled':
    case 'Lapsed':
      return undefined;
  }
}

/** The newest step if the client took it; undefined once an officer has acted on it. Steps oldest first. */
export function latestClientStep<Step extends Taken>(taken: readonly Step[]): Step | undefined {
  const latest = taken.at(-1);
  return latest !== undefined && isByClient(latest.step) ? latest : undefined;
}

/** The client's acceptance takes `acceptOfferFirst` if the approval needs two officers. */
function isByClient(step: StepName): boolean {
  return steps[step].by === 'client' || step === 'acceptOfferFirst';
}
