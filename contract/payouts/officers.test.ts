import { expect, it } from 'vitest';
import { approvedByOther, LATER, ME, OTHER } from '#contract/desk/case-facts.harness.ts';
import type { CaseFacts } from '#contract/desk/case-facts.ts';
import { type PayingFacts, refusalsOfNextPayout, refusalsToPrepare, refusalsToRelease } from './officers.ts';

/** Who may prepare and who may release a payout. */

const [me, other, later] = [ME, OTHER, LATER];
const fine = approvedByOther;
const approved = { hasLapsed: false, hasChanged: false, exposure: 900, isPlacedByApprover: false };
const recorders = { releaser: { id: me, own: [] }, preparer: { id: other, own: [] } };
const paying = (facts: Partial<CaseFacts>): PayingFacts => {
  const approval = { ...fine, ...facts };
  return { ...approval, kind: 'disbursement', openFlags: [], approval, recorders };
};
const codes = (facts: PayingFacts) => [
  refusalsToPrepare(facts).map(({ code }) => code),
  refusalsToRelease(facts).map(({ code }) => code),
];

it.each<[string, Partial<CaseFacts>, string[], string[]]>([
  ['nothing', {}, [], []],
  ['a new officer', { newUntil: later }, ['NEW_OFFICER'], ['NEW_OFFICER']],
  ['somebody who is no officer now', { bars: 'FORBIDDEN' }, ['FORBIDDEN'], ['FORBIDDEN']],
  ['an own business', { bars: 'OWN_BUSINESS' }, ['OWN_BUSINESS'], ['OWN_BUSINESS']],
  ['a lapsed approval', { approved: { ...approved, hasLapsed: true } }, ['APPROVAL_LAPSED'], ['APPROVAL_LAPSED']],
  ['an inactive client', { isClientActive: false }, ['CLIENT_INACTIVE'], ['CLIENT_INACTIVE']],
  ['an inactive buyer', { isBuyerActive: false }, ['BUYER_INACTIVE'], ['BUYER_INACTIVE']],
  ['too low a limit', { limit: 899 }, ['LIMIT_NOT_HELD'], ['LIMIT_NOT_HELD']],
  ['a late client', { isClientLate: true }, ['CLIENT_OVERDUE'], ['CLIENT_OVERDUE']],
  [
    'a decision that no longer counts',
    { counts: { first: true, decision: false } },
    ['APPROVAL_VOID', 'SECOND_APPROVAL'],
    ['APPROVAL_VOID', 'SECOND_APPROVAL'],
  ],
  [
    'an exposure that takes two',
    { approved: { ...approved, exposure: 901 } },
    ['SECOND_APPROVAL'],
    ['SECOND_APPROVAL'],
  ],
  [
    'an applicant of the only approver',
    { approved: { ...approved, isPlacedByApprover: true } },
    ['SECOND_APPROVAL'],
    ['SECOND_APPROVAL'],
  ],
  [
    'an own change after the only approval',
    { approved: { ...approved, hasChanged: true } },
    [],
    ['OWN_CHANGE', 'SECOND_APPROVAL'],
  ],
  [
    'an own change after two approvals',
    { approved: { ...approved, hasChanged: true }, approvers: { firstApprovedBy: 3, decidedBy: other } },
    [],
    ['OWN_CHANGE'],
  ],
  [
    'the only approver',
    { approvers: { firstApprovedBy: null, decidedBy: me } },
    [],
    ['ONLY_APPROVER', 'ONLY_APPROVER'],
  ],
])('%s: who prepares and who releases', (_, facts, toPrepare, toRelease) => {
  expect(codes(paying(facts))).toEqual([toPrepare, toRelease]);
});

it('an open flag comes before the refusals about the approval at a release, and after them at a preparation', () => {
  const openFlags = [1, 2, 3, 4].map((each) => ({ kind: 'sameFile', name: `INV ${each}` }) as const);
  const facts = { ...paying({ isClientLate: true }), openFlags };
  expect(codes(facts)).toEqual([
    ['CLIENT_OVERDUE', 'FLAG_OPEN'],
    ['FLAG_OPEN', 'CLIENT_OVERDUE'],
  ]);
  expect(refusalsToRelease(facts)[0]?.more).toBe('Open: INV 1; INV 2; INV 3 and 1 more');
});

it('the approval of what is owed already is not checked again', () => {
  const late = { ...fine, isClientLate: true, approvers: { firstApprovedBy: null, decidedBy: me } };
  const next = (status: 'Approved' | 'Disbursed' | 'Settled', restOwed: number) =>
    Object.values(refusalsOfNextPayout({ ...late, status }, { status, surplusOwed: 0, restOwed }, recorders)).map(
      (refusals) => refusals.map(({ code }) => code),
    );
  expect(next('Approved', 0)).toEqual([['CLIENT_OVERDUE'], ['CLIENT_OVERDUE', 'ONLY_APPROVER', 'ONLY_APPROVER']]);
  expect(next('Disbursed', 0)).toEqual([[], []]);
  expect(next('Disbursed', 5)).toEqual([[], ['ONLY_APPROVER']]);
  expect(next('Settled', 0)).toEqual([[], []]);
});
