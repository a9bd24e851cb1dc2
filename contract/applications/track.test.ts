import { expect, it } from 'vitest';
import type { Status, StepName } from './lifecycle.ts';
import { latestClientStep, trackOf } from './track.ts';

const steps = (...names: StepName[]) => names.map((step) => ({ step }));

it.each<[Status, readonly StepName[], ReturnType<typeof trackOf>]>([
  ['Draft', [], undefined],
  ['Submitted', ['submit'], { stage: 'checked', next: 'us' }],
  ['In Review', ['submit', 'startReview'], { stage: 'checked', next: 'us' }],
  ['Info Requested', ['submit', 'requestInformation'], { stage: 'checked', next: 'client' }],
  ['In Review', ['submit', 'requestInformation', 'answerRequest'], { stage: 'checked', next: 'us' }],
  ['Counter-offered', ['submit', 'counterOffer'], { stage: 'approved', next: 'client' }],
  ['In Review', ['counterOffer', 'acceptOfferFirst'], { stage: 'approved', next: 'us' }],
  ['In Review', ['acceptOfferFirst', 'requestInformation', 'answerRequest'], { stage: 'checked', next: 'us' }],
  ['Approved', ['submit', 'approve'], { stage: 'cash', next: 'us' }],
  ['Disbursed', ['disburse'], { stage: 'paidBack', next: 'client' }],
  ['Settled', ['settle'], { stage: undefined, next: undefined }],
  ['Declined', ['decline'], undefined],
  ['Withdrawn', ['withdraw'], undefined],
  ['Cancelled', ['cancelApproval'], undefined],
  ['Lapsed', ['lapse'], undefined],
])('an application that is %s after %j is at %j', (status, taken, expected) => {
  expect(trackOf(status, steps(...taken))).toEqual(expected);
});

it('finds the newest step if the client took it', () => {
  expect(latestClientStep(steps('submit', 'requestInformation', 'answerRequest'))?.step).toBe('answerRequest');
  expect(latestClientStep(steps('submit', 'startReview'))).toBeUndefined();
  expect(latestClientStep([])).toBeUndefined();
});
