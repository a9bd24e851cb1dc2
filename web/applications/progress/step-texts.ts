import type { StepName } from '#contract/applications/lifecycle.ts';

/** The steps in words for the client; steps that only officers see are left out. */
const texts: Partial<Record<StepName, string>> = {
  submit: 'Submitted',
  withdraw: 'Withdrawn by you',
  startReview: 'Review started',
  requestInformation: 'We asked you for something',
  answerRequest: 'You answered',
  recallRequest: 'We no longer need what we asked for',
  counterOffer: 'We offered other terms',
  recallOffer: 'We withdrew our offer',
  acceptOffer: 'You accepted: approved',
  acceptOfferFirst: 'You accepted; a second officer decides',
  declineOffer: 'You declined our offer',
  approve: 'Approved',
  decline: 'Declined',
  cancelApproval: 'We cancelled our approval',
  lapse: 'Lapsed: not accepted or paid out in time',
  disburse: 'Paid out to you',
  reverseDisbursement: 'Payment to you reversed: it was recorded by mistake',
  disburseRest: 'Another part paid out to you',
  reverseRest: 'Payment to you reversed: it was recorded by mistake',
  receivePart: 'Part paid back',
  askExtension: 'You asked for more time',
  agreeExtension: 'We offered more time',
  withdrawExtension: "We couldn't give you more time",
  acceptExtension: 'More time to pay back',
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
