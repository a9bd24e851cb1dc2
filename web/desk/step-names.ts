import type { StepName } from '#contract/applications/lifecycle.ts';

/** What happened at a step, as officers read it. */
export const stepNames: Readonly<Record<StepName, string>> = {
  submit: 'Submitted',
  withdraw: 'Withdrawn by the client',
  startReview: 'Review started',
  requestInformation: 'Information requested',
  answerRequest: 'Client answered',
  recallRequest: 'Request taken back',
  approveFirst: 'First approval',
  approve: 'Approved',
  sendBack: 'First approval taken back',
  decline: 'Declined',
  disburse: 'Paid out',
  reverseDisbursement: 'Payment to the client taken back',
  receivePart: 'Part received',
  settle: 'Settled',
  reversePart: 'Receipt taken back',
  reverseSettlement: 'Settlement taken back',
  receiveMore: 'More received',
  reverseMore: 'Receipt taken back',
  paySurplus: 'Surplus paid to the client',
  reverseSurplus: 'Surplus taken back',
};
