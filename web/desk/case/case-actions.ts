import { statusTraits } from '#contract/applications/lifecycle.ts';
import type { CaseAction, CaseReply, OfferedAction } from '#contract/desk/schema.ts';
import { failures } from '#contract/errors.ts';

/** Labels and layout of an officer's actions on a case. The server's reply lists the actions and what stops them. */

/** Why an officer may not decide that person's application alone. */
export const PLACED_BY_YOU = 'You activated or moved the person who applied, so two officers approve this.';

/** Why an action is unavailable; undefined if it is available. */
export function reasonOf({ refusals: [first] }: OfferedAction): string | undefined {
  return first?.text;
}

/** The one filled button: the approval, also while something stops it. Everything else is in the menu beside it. */
export function mainOf(actions: readonly OfferedAction[]): OfferedAction | undefined {
  return actions.find(({ action }) => action === 'approve');
}

type Standing = Pick<
  CaseReply,
  'status' | 'holder' | 'firstApprovalBy' | 'approvalVoid' | 'secondMissing' | 'barred' | 'clock'
>;

/** What holds the case up for this officer, as a sentence; undefined if nothing does. */
export function standingOf(subject: Standing, me: string): string | undefined {
  const { status, holder, firstApprovalBy, approvalVoid, secondMissing } = subject;
  if (subject.barred !== null) return `${failures.OWN_BUSINESS.msg}.`;
  if (status === 'Approved') {
    if (approvalVoid) return `${failures.APPROVAL_VOID.msg}.`;
    return secondMissing ? `${failures.SECOND_APPROVAL.msg}.` : undefined;
  }
  if (!statusTraits[status].undecided) return undefined;
  if (holder?.tag === me)
    return subject.clock.state === 'stopped' ? 'The clock is paused until the client answers.' : undefined;
  if (holder !== null) return `${holder.name} decides this case.`;
  return firstApprovalBy?.tag === me ? `${failures.SECOND_OFFICER.msg}.` : undefined;
}

const labels: Readonly<Record<Exclude<CaseAction, 'approve'>, string>> = {
  take: 'Take',
  startReview: 'Start Review',
  requestInformation: 'Request Information',
  recallRequest: 'Withdraw Request',
  counterOffer: 'Offer Other Terms',
  recallOffer: 'Withdraw Offer',
  decline: 'Decline',
  sendBack: 'Withdraw First Approval',
  cancelApproval: 'Cancel Approval',
  release: 'Release',
  handOver: 'Hand Over',
};

/** The label of an action. */
export function actionLabel(
  action: CaseAction,
  subject: Pick<CaseReply, 'status' | 'needsTwo' | 'firstApprovalBy' | 'secondMissing'>,
): string {
  if (action !== 'approve') return labels[action];
  if (subject.status === 'Approved' && !subject.secondMissing) return 'Approve Again';
  if (subject.status === 'Approved' || subject.firstApprovalBy !== null) return 'Approve (second of two)';
  return subject.needsTwo ? 'Approve (first of two)' : 'Approve';
}
