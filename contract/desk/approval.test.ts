import { describe, expect, it } from 'vitest';
import type { Refusal } from '#contract/refusals/refusal.ts';
import {
  decideApproval,
  decideApprovalAgain,
  refusalsToApprove,
  refusalsToCancelApproval,
  refusalsToSendBack,
} from './approval.ts';
import { approvedByOther, inReview, LATER, ME, OTHER, THIRD } from './case-facts.harness.ts';
import type { CaseFacts } from './case-facts.ts';

const codesOf = (refusals: readonly Refusal[]) => refusals.map(({ code }) => code);
const openFlags = [{ kind: 'sameFile', name: 'INV-1' }] as const;

describe('an approval', () => {
  const decide = (facts: Partial<CaseFacts>) => decideApproval({ ...inReview, openFlags: [], ...facts });
  const first = { step: 'approveFirst', voidsFirst: false };
  const decides = { step: 'approve', voidsFirst: false };
  const byOther = { firstApprovedBy: OTHER, decidedBy: null };

  it.each<[string, Partial<CaseFacts>, string[]]>([
    ['another status', { status: 'Declined' }, ['STEP_NOT_ALLOWED']],
    ['the officer’s own first one', { approvers: { firstApprovedBy: ME, decidedBy: null } }, ['SECOND_OFFICER']],
    ['another officer’s case', { assigneeId: OTHER }, ['CASE_TAKEN']],
    ['a new officer', { newUntil: LATER }, ['NEW_OFFICER']],
    ['somebody who is no officer now', { bars: 'FORBIDDEN' }, ['FORBIDDEN']],
    ['an inactive client', { isClientActive: false }, ['CLIENT_INACTIVE']],
    ['an inactive buyer', { isBuyerActive: false }, ['BUYER_INACTIVE']],
    ['too low a limit', { limit: 899 }, ['LIMIT_NOT_HELD']],
    ['a late client', { isClientLate: true }, ['CLIENT_OVERDUE']],
    [
      'several at once, the officer who has it first',
      { status: 'Info Requested', assigneeId: OTHER, newUntil: LATER, isClientLate: true },
      ['CASE_TAKEN', 'STEP_NOT_ALLOWED', 'NEW_OFFICER', 'CLIENT_OVERDUE'],
    ],
  ])('is refused for %s', (_, facts, codes) => {
    expect(codesOf(decide(facts).refusals)).toEqual(codes);
  });

  it('is refused last for an open flag, which its screen shows by itself', () => {
    const facts = { ...inReview, isClientLate: true, openFlags };
    expect(codesOf(decideApproval(facts).refusals)).toEqual(['CLIENT_OVERDUE', 'FLAG_OPEN']);
    expect(codesOf(refusalsToApprove(facts))).toEqual(['CLIENT_OVERDUE']);
  });

  it('needs neither a review nor an assignment before it', () => {
    expect(decide({ status: 'Submitted', assigneeId: null })).toEqual({ refusals: [], decision: decides });
  });

  it('is the one that the officer confirmed, or none', () => {
    const meant = (step: 'approveFirst' | 'approve', facts: Partial<CaseFacts> = {}) =>
      codesOf(decideApproval({ ...inReview, openFlags: [], ...facts, meant: step }).refusals);
    const large = { exposure: 901, limit: 901 };
    expect([meant('approve'), meant('approveFirst', large)]).toEqual([[], []]);
    expect([meant('approveFirst'), meant('approve', large)]).toEqual([['STEP_NOT_ALLOWED'], ['STEP_NOT_ALLOWED']]);
    expect(meant('approveFirst', { ...large, approvers: byOther })).toEqual(['STEP_NOT_ALLOWED']);
  });

  it('says when a new officer may give it', () => {
    const [refusal] = decide({ newUntil: LATER }).refusals;
    expect(refusal?.more).toMatch(/^You can do this from /);
  });

  it.each<[string, Partial<CaseFacts>, object]>([
    ['decides at the threshold', {}, decides],
    ['is the first of two above it', { exposure: 901, limit: 901 }, first],
    ['is the first of two by who let the applicant in', { hasPlacedApplicant: true }, first],
    ['decides as the second', { exposure: 901, limit: 901, approvers: byOther }, decides],
    ['decides as the second by who let the applicant in', { hasPlacedApplicant: true, approvers: byOther }, decides],
    [
      'cancels a void first one and is the first again',
      { exposure: 901, limit: 901, approvers: byOther, counts: { first: false, decision: true } },
      { step: 'approveFirst', voidsFirst: true },
    ],
    [
      'cancels a void first one and decides where one is enough by now',
      { approvers: byOther, counts: { first: false, decision: true } },
      { step: 'approve', voidsFirst: true },
    ],
  ])('%s', (_, facts, decision) => {
    expect(decide(facts).decision).toEqual(decision);
  });
});

describe('an approval that is given again', () => {
  const decide = (facts: Partial<CaseFacts>) => decideApprovalAgain({ ...approvedByOther, openFlags: [], ...facts });
  const since = approvedByOther.approved;
  const takesTwo = since && { approved: { ...since, exposure: 901 } };
  const twoApproved = { firstApprovedBy: OTHER, decidedBy: THIRD };

  it.each<[string, Partial<CaseFacts>, string]>([
    ['decides instead of a void one', { counts: { first: true, decision: false } }, 'decision'],
    [
      'is the first instead of a void one',
      { approvers: twoApproved, counts: { first: false, decision: true } },
      'first',
    ],
    ['decides before the first, where both are void', { counts: { first: false, decision: false } }, 'decision'],
    ['is the second where two are needed by now', { ...takesTwo }, 'first'],
    ['may be given by who changed something since', since ? { approved: { ...since, hasChanged: true } } : {}, 'first'],
  ])('%s', (_, facts, decision) => {
    expect(decide(facts)).toEqual({ refusals: [], decision });
  });

  it.each<[string, Partial<CaseFacts>, string[]]>([
    ['a case that lacks none', {}, ['STEP_NOT_ALLOWED']],
    [
      'the giver of the other one',
      { ...takesTwo, approvers: { firstApprovedBy: null, decidedBy: ME } },
      ['ONLY_APPROVER'],
    ],
    [
      'the giver of the first where the decision is void',
      { approvers: { firstApprovedBy: ME, decidedBy: OTHER }, counts: { first: true, decision: false } },
      ['ONLY_APPROVER'],
    ],
    ['a new officer before anything', { newUntil: LATER }, ['NEW_OFFICER', 'STEP_NOT_ALLOWED']],
    ['a lapsed approval', since ? { approved: { ...since, hasLapsed: true, exposure: 901 } } : {}, ['APPROVAL_LAPSED']],
  ])('is refused for %s', (_, facts, codes) => {
    expect(codesOf(decide(facts).refusals)).toEqual(codes);
  });

  it('is refused last for an open flag', () => {
    const lacking = { counts: { first: true, decision: false }, isClientLate: true };
    const facts = { ...approvedByOther, ...lacking, openFlags };
    expect(codesOf(decideApprovalAgain(facts).refusals)).toEqual(['CLIENT_OVERDUE', 'FLAG_OPEN']);
  });
});

describe('the first approval', () => {
  const byMe = { firstApprovedBy: ME, decidedBy: null };
  const byOther = { firstApprovedBy: OTHER, decidedBy: null };
  it.each<[string, Partial<CaseFacts>, string[]]>([
    ['by its giver', { approvers: byMe, assigneeId: null }, []],
    ['by the assignee', { approvers: byOther }, []],
    ['by nobody else', { approvers: byOther, assigneeId: THIRD }, ['CASE_TAKEN']],
    ['by nobody while the case is not taken', { approvers: byOther, assigneeId: null }, ['CASE_NOT_TAKEN']],
    ['not where there is none', {}, ['STEP_NOT_ALLOWED']],
    ['not while the client is asked', { approvers: byMe, status: 'Info Requested' }, ['STEP_NOT_ALLOWED']],
  ])('is sent back %s', (_, facts, codes) => {
    expect(codesOf(refusalsToSendBack({ ...inReview, ...facts }))).toEqual(codes);
  });
});

it('an approval is cancelled by any officer who is not new, while no payout is under way', () => {
  const cancel = (facts: Partial<Parameters<typeof refusalsToCancelApproval>[0]>) =>
    codesOf(refusalsToCancelApproval({ ...approvedByOther, underWay: undefined, ...facts }));
  expect(cancel({})).toEqual([]);
  expect(cancel({ status: 'Disbursed' })).toEqual(['STEP_NOT_ALLOWED']);
  expect(cancel({ newUntil: LATER, underWay: 'PAYOUT_PREPARED' })).toEqual(['NEW_OFFICER', 'PAYOUT_PREPARED']);
  expect(cancel({ underWay: 'PAYOUT_ON_ITS_WAY' })).toEqual(['PAYOUT_ON_ITS_WAY']);
});
