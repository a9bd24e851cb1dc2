import { type Status, statusTraits } from '#contract/applications/lifecycle.ts';
import { isOfAccount, stopsCase } from '#contract/flags/case-flags.ts';
import type { PayoutStep } from '#contract/payouts/schema.ts';
import type { CaseReply } from './schema.ts';

/** The calls that a case waits for: an overdue advance, flags that the buyer can explain, or the account to pay to. */
export type CallReason = 'collect' | 'buyer' | 'account';

type CallFacts = Pick<CaseReply, 'status' | 'overdue' | 'flags' | 'surplusOwed' | 'restOwed'> & {
  /** The next step of the payout; undefined if nothing is due or it is not known yet. */
  readonly payoutStep: PayoutStep | undefined;
};

/** Why an officer calls somebody about a case now; undefined if the next step is another one. */
export function callReasonOf(facts: CallFacts): CallReason | undefined {
  const { status, overdue, payoutStep } = facts;
  if (status === 'Disbursed' && overdue !== null) return 'collect';
  if (status === 'Approved' && payoutStep === 'check') return 'account';
  return isWithOfficers(status) && flagsToExplain(facts).length > 0 ? 'buyer' : undefined;
}

/** The open flags of a case that its buyer can explain. */
export function flagsToExplain(facts: Pick<CaseReply, 'status' | 'flags' | 'surplusOwed' | 'restOwed'>) {
  return facts.flags.filter(
    ({ kind, acknowledged }) => acknowledged === null && !isOfAccount(kind) && stopsCase(facts, kind),
  );
}

function isWithOfficers(status: Status): boolean {
  return statusTraits[status].undecided && status !== 'Info Requested' && status !== 'Counter-offered';
}
