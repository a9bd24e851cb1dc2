import { type Status, statusTraits } from '#contract/applications/lifecycle.ts';
import type { CaseReply } from '#contract/desk/schema.ts';
import { failures } from '#contract/errors.ts';

/** Why an officer does not decide alone about that person's application. */
export const PLACED_BY_YOU = 'You activated or moved the person who applied, so two officers approve this.';

/** The actions of an officer on a case. */
export const caseActions = [
  'take',
  'startReview',
  'requestInformation',
  'recallRequest',
  'counterOffer',
  'recallOffer',
  'approve',
  'decline',
  'sendBack',
  'cancelApproval',
  'release',
  'handOver',
] as const;
export type CaseAction = (typeof caseActions)[number];

/** An action that the screen offers; `reason` says why it cannot be used now. */
export interface OfferedAction {
  readonly action: CaseAction;
  readonly reason?: string;
}

export interface CaseActions {
  /** The next thing to do, the one filled button. */
  readonly primary: CaseAction | undefined;
  readonly offered: readonly OfferedAction[];
  /** What holds the case up for this officer, in a sentence, or undefined. */
  readonly standing: string | undefined;
}

type Case = Pick<
  CaseReply,
  'status' | 'holder' | 'firstApprovalBy' | 'needsTwo' | 'approvalVoid' | 'secondMissing' | 'approveRefusal' | 'barred'
>;

interface Officer {
  readonly tag: string;
  /** Whether the officer is an administrator, who may hand over any case. */
  readonly isAdministrator: boolean;
}

const nothing: CaseActions = { primary: undefined, offered: [], standing: undefined };

/**
 * The actions that an officer may take on a case now, and why not the others that its state allows. The server decides;
 * this tells before they ask.
 */
export function actionsOf(subject: Case, me: Officer): CaseActions {
  if (subject.barred !== null) return { ...nothing, standing: `${failures.OWN_BUSINESS.msg}.` };
  if (subject.status === 'Approved') return actionsOfApproved(subject);
  if (!statusTraits[subject.status].undecided) return nothing;
  const { holder, firstApprovalBy } = subject;
  if (holder?.tag === me.tag) return actionsOfAssignee(subject, me);
  const byMe = firstApprovalBy?.tag === me.tag;
  const sendBack: OfferedAction[] = byMe ? [{ action: 'sendBack' }] : [];
  const handOver: OfferedAction[] = me.isAdministrator ? [{ action: 'handOver' }] : [];
  if (holder !== null) {
    const standing = `${holder.name} decides this case.`;
    return { primary: undefined, offered: [...sendBack, ...handOver], standing };
  }
  if (byMe)
    return { primary: undefined, offered: [...sendBack, ...handOver], standing: `${failures.SECOND_OFFICER.msg}.` };
  const offered = [{ action: 'take' } as const, ...decisions('Take the case first', subject.status)];
  return { primary: 'take', offered: [...offered, ...handOver], standing: undefined };
}

/** The decisions about a case, all disabled for this reason. */
function decisions(reason: string, status: Status): OfferedAction[] {
  if (status === 'Info Requested' || status === 'Counter-offered') return [];
  return (['requestInformation', 'counterOffer', 'approve', 'decline'] as const).map((action) => ({ action, reason }));
}

/**
 * Approved: it can be cancelled until the client is paid. If an approval is void or missing, another officer gives it
 * first.
 */
function actionsOfApproved({ approvalVoid, secondMissing, approveRefusal }: Case): CaseActions {
  const back: OfferedAction = { action: 'cancelApproval' };
  if (!approvalVoid && !secondMissing) return { ...nothing, offered: [back] };
  const again: OfferedAction = {
    action: 'approve',
    ...(approveRefusal === null ? {} : { reason: failures[approveRefusal].msg }),
  };
  const primary = approveRefusal === null ? 'approve' : undefined;
  return {
    primary,
    offered: [again, back],
    standing: `${failures[approvalVoid ? 'APPROVAL_VOID' : 'SECOND_APPROVAL'].msg}.`,
  };
}

function actionsOfAssignee({ status, firstApprovalBy, approveRefusal }: Case, me: Officer): CaseActions {
  const away: OfferedAction[] = [{ action: 'release' }, { action: 'handOver' }];
  if (status === 'Submitted') {
    const offered = [{ action: 'startReview' } as const, ...decisions('Start the review first', status), ...away];
    return { primary: 'startReview', offered, standing: undefined };
  }
  if (status === 'Info Requested' || status === 'Counter-offered') {
    return {
      primary: undefined,
      offered: [{ action: status === 'Info Requested' ? 'recallRequest' : 'recallOffer' }, ...away],
      standing: 'The clock is paused until the client answers.',
    };
  }
  const byMe = firstApprovalBy?.tag === me.tag;
  const refusal = byMe ? 'SECOND_OFFICER' : approveRefusal;
  const approve: OfferedAction =
    refusal === null ? { action: 'approve' } : { action: 'approve', reason: failures[refusal].msg };
  // If the requested amount is above the limit, a lower one may not be.
  const isOfferable = approveRefusal === null || approveRefusal === 'LIMIT_NOT_HELD';
  const offer: OfferedAction = {
    action: 'counterOffer',
    ...(isOfferable ? {} : { reason: failures[approveRefusal].msg }),
  };
  const sendBack: OfferedAction[] = firstApprovalBy === null ? [] : [{ action: 'sendBack' }];
  return {
    primary: refusal === null ? 'approve' : undefined,
    offered: [approve, { action: 'requestInformation' }, offer, { action: 'decline' }, ...sendBack, ...away],
    standing: undefined,
  };
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
  subject: Pick<Case, 'status' | 'needsTwo' | 'firstApprovalBy' | 'secondMissing'>,
): string {
  if (action !== 'approve') return labels[action];
  if (subject.status === 'Approved' && !subject.secondMissing) return 'Approve Again';
  if (subject.status === 'Approved' || subject.firstApprovalBy !== null) return 'Approve (second of two)';
  return subject.needsTwo ? 'Approve (first of two)' : 'Approve';
}
