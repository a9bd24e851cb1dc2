import type { StepName } from '#contract/applications/lifecycle.ts';

/** What happened at a step, as the client reads it; the steps that only officers see are not among them. */
const texts: Partial<Record<StepName, string>> = {
  submit: 'Submitted',
  withdraw: 'Withdrawn by you',
  startReview: 'Review started',
  requestInformation: 'We asked you for something',
  answerRequest: 'You answered',
  recallRequest: 'We no longer need what we asked for',
  approve: 'Approved',
  decline: 'Declined',
  disburse: 'Paid out to you',
  reverseDisbursement: 'Payment to you reversed: it was recorded by mistake',
  receivePart: 'Part paid back',
  settle: 'Fully paid back',
  reversePart: 'Repayment reversed: it was recorded by mistake',
  reverseSettlement: 'Repayment reversed: it was recorded by mistake',
  receiveMore: 'Extra paid back',
  reverseMore: 'Repayment reversed: it was recorded by mistake',
  paySurplus: 'Extra paid to you',
  reverseSurplus: 'Payment to you reversed: it was recorded by mistake',
};

export function stepText(step: StepName): string {
  return texts[step] ?? 'Something changed';
}
