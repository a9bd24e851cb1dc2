import { expect, it } from 'vitest';
import { decideLimit, type ProposalFacts, proposalRefusal, refusalsToConfirm } from './limit-change.ts';

const now = new Date('2026-11-20T08:00:00Z');
const newUntil = new Date('2026-11-21T08:00:00Z');
const change = { now, newUntil: undefined, currency: 'UGX', current: 100, amount: 120, highest: 200 };
const facts = { ...change, seen: 100, highestAlone: 120, isProposalOpen: false };
type Facts = Parameters<typeof decideLimit>[0];

it.each<[string, Partial<Facts>, string[]]>([
  ['as high as one officer may', {}, ['set']],
  ['a cent higher', { amount: 121 }, ['propose']],
  ['the highest', { amount: 200 }, ['propose']],
  ['in place of an open proposal', { isProposalOpen: true }, ['set']],
  ['lower by a new officer', { amount: 99, newUntil }, ['set']],
  ['without a form that showed one', { seen: undefined }, ['set']],
  ['higher by a new officer', { newUntil }, ['NEW_OFFICER']],
  ['from an older form', { seen: 99 }, ['STALE_VERSION']],
  ['as it is', { amount: 100 }, ['LIMIT_CHANGED']],
  ['a cent above the highest', { amount: 201 }, ['LIMIT_TOO_HIGH']],
  ['beside an open proposal', { amount: 121, isProposalOpen: true }, ['LIMIT_PROPOSED']],
  ['as it is, from an older form', { seen: 99, amount: 100 }, ['STALE_VERSION', 'LIMIT_CHANGED']],
  [
    'against everything else, in order',
    { seen: 99, amount: 201, newUntil, isProposalOpen: true },
    ['STALE_VERSION', 'LIMIT_TOO_HIGH', 'NEW_OFFICER', 'LIMIT_PROPOSED'],
  ],
])('a limit set %s', (_, more, expected) => {
  const { refusals, decision } = decideLimit({ ...facts, ...more });
  expect(decision === undefined ? refusals.map(({ code }) => code) : [decision]).toEqual(expected);
});

it('a refusal names the field, and the highest limit', () => {
  const fields = (more: Partial<Facts>) => decideLimit({ ...facts, ...more }).refusals[0]?.fields;
  expect(fields({ amount: 100 })).toEqual({ limit: 'This is already the limit' });
  expect(fields({ amount: 500, highest: 45_000 * 100, current: 1 })).toBeUndefined();
  expect(fields({ amount: 4_500_001, highest: 4_500_000 })).toEqual({ limit: 'The highest limit is UGX 45,000' });
});

const proposal: ProposalFacts = { ...change, me: 2, proposedBy: 1, byOfficer: true, replaces: 100 };

it.each<[string, Partial<ProposalFacts>, string[], string | null]>([
  ['of another officer', {}, [], null],
  ['of one’s own', { me: 1 }, ['OWN_PROPOSAL'], 'OWN_PROPOSAL'],
  ['by a new officer', { newUntil }, ['NEW_OFFICER'], 'NEW_OFFICER'],
  ['for another limit than it replaces', { current: 101 }, ['PROPOSAL_VOID'], 'PROPOSAL_VOID'],
  ['of a former officer', { byOfficer: false }, ['PROPOSAL_VOID'], 'PROPOSAL_VOID'],
  ['above the highest limit', { highest: 119 }, ['LIMIT_TOO_HIGH'], 'LIMIT_TOO_HIGH'],
  [
    'against everything, in order',
    { me: 1, newUntil, current: 101, highest: 119 },
    ['OWN_PROPOSAL', 'NEW_OFFICER', 'PROPOSAL_VOID', 'LIMIT_TOO_HIGH'],
    'PROPOSAL_VOID',
  ],
  ['of one’s own, as a new officer', { me: 1, newUntil }, ['OWN_PROPOSAL', 'NEW_OFFICER'], 'OWN_PROPOSAL'],
  ['above the highest, as a new officer', { newUntil, highest: 119 }, ['NEW_OFFICER', 'LIMIT_TOO_HIGH'], 'NEW_OFFICER'],
])('a proposal is confirmed %s', (_, more, codes, shown) => {
  expect(refusalsToConfirm({ ...proposal, ...more }).map(({ code }) => code)).toEqual(codes);
  expect(proposalRefusal({ ...proposal, ...more })).toBe(shown);
});
