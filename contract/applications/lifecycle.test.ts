import { describe, expect, it } from 'vitest';
import {
  appliedStatuses,
  isEditable,
  isRecordedStep,
  mayUpload,
  reservingStatuses,
  statuses,
  stepOfRecord,
  stepsFrom,
  undecidedStatuses,
} from './lifecycle.ts';

/** The table of steps. Random walks through it are in walk.test.ts. */

describe('the steps from a state', () => {
  it.each([
    ['Draft', ['submit']],
    [
      'Submitted',
      ['withdraw', 'startReview', 'requestInformation', 'counterOffer', 'approveFirst', 'approve', 'decline'],
    ],
    [
      'In Review',
      [
        'withdraw',
        'requestInformation',
        'counterOffer',
        'approveFirst',
        'approve',
        'sendBack',
        'voidApproval',
        'decline',
      ],
    ],
    ['Info Requested', ['withdraw', 'answerRequest', 'recallRequest', 'voidFirstApproval']],
    ['Counter-offered', ['recallOffer', 'acceptOffer', 'acceptOfferFirst', 'declineOffer', 'lapse']],
    ['Approved', ['withdraw', 'approveAgain', 'cancelApproval', 'lapse', 'disburse']],
    ['Declined', []],
    ['Withdrawn', []],
    ['Cancelled', []],
    ['Lapsed', []],
    [
      'Disbursed',
      [
        'askExtension',
        'offerExtension',
        'agreeExtension',
        'withdrawExtension',
        'dropExtension',
        'acceptExtension',
        'reverseDisbursement',
        'disburseRest',
        'reverseRest',
        'receivePart',
        'settle',
        'reversePart',
      ],
    ],
    [
      'Settled',
      [
        'disburseRest',
        'reverseRest',
        'reverseSettlement',
        'receiveMore',
        'reverseMore',
        'paySurplus',
        'reverseSurplus',
      ],
    ],
  ] as const)('%s', (status, names) => {
    expect(stepsFrom(status)).toEqual(names);
  });
});

describe('a step in records of earlier releases', () => {
  it.each([
    ['disburseRestSettled', 'disburseRest'],
    ['reverseRestSettled', 'reverseRest'],
    ['settle', 'settle'],
  ] as const)('%s is %s', (name, step) => {
    expect(isRecordedStep(name)).toBe(true);
    expect(stepOfRecord(name)).toBe(step);
  });

  it('does not exist under any other name', () => {
    expect(['submitted', 'disburseRestDisbursed', 'toString'].filter(isRecordedStep)).toEqual([]);
  });
});

describe('a state', () => {
  it('waits for a decision, counts against the limit, counts as applied for', () => {
    expect(undecidedStatuses).toEqual(['Submitted', 'In Review', 'Info Requested', 'Counter-offered']);
    expect(reservingStatuses).toEqual(['Submitted', 'In Review', 'Info Requested', 'Counter-offered', 'Approved']);
    expect(appliedStatuses).toEqual(statuses.filter((status) => status !== 'Draft' && status !== 'Withdrawn'));
  });

  it('lets the client change everything in a draft alone', () => {
    expect(statuses.filter(isEditable)).toEqual(['Draft']);
  });

  it('lets the client upload anything in a draft, and what was asked for when it was asked for', () => {
    expect(statuses.filter((status) => mayUpload(status, false))).toEqual(['Draft']);
    expect(statuses.filter((status) => mayUpload(status, true))).toEqual(['Draft', 'Info Requested']);
  });
});
