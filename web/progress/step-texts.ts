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
  reverseDisbursement: 'Payment to you taken back: it was recorded by mistake',
  receivePart: 'Part of it paid back',
  settle: 'Settled',
  reversePart: 'Payment to us taken back: it was recorded by mistake',
  reverseSettlement: 'Settlement taken back: it was recorded by mistake',
  receiveMore: 'More was paid than was due',
  reverseMore: 'Payment to us taken back: it was recorded by mistake',
  paySurplus: 'What was paid above the advance was paid to you',
  reverseSurplus: 'Payment to you taken back: it was recorded by mistake',
};

export function stepText(step: StepName): string {
  return texts[step] ?? 'Something changed';
}
