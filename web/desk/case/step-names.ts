import type { StepName } from '#contract/applications/lifecycle.ts';

/** What happened at a step, in the officers' words. */
export const stepNames: Readonly<Record<StepName, string>> = {
  submit: 'Submitted',
  withdraw: 'Withdrawn by the client',
  startReview: 'Review started',
  requestInformation: 'Information requested',
  answerRequest: 'Client answered',
  recallRequest: 'Request withdrawn',
  approveFirst: 'First approval',
  approve: 'Approved',
  sendBack: 'First approval withdrawn',
  voidApproval: 'First approval no longer counts',
  voidFirstApproval: 'First approval cancelled: a document was replaced',
  decline: 'Declined',
  approveAgain: 'Approval given again',
  disburse: 'Paid out',
  reverseDisbursement: 'Payment to the client reversed',
  receivePart: 'Part paid back',
  settle: 'Fully paid back',
  reversePart: 'Repayment reversed',
  reverseSettlement: 'Last repayment reversed',
  receiveMore: 'Extra money received',
  reverseMore: 'Extra money reversed',
  paySurplus: 'Extra money paid to the client',
  reverseSurplus: 'Payment of extra money reversed',
};
