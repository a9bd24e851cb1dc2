import { expect, it } from 'vitest';
import { type CallReason, callReasonOf } from './calling.ts';
import type { Flag } from './schema.ts';

type CallFacts = Parameters<typeof callReasonOf>[0];

const flag = (kind: Flag['kind'], isOpen = true): Flag => ({
  kind,
  files: [],
  other: null,
  fact: 'A fact',
  acknowledged: isOpen
    ? null
    : { by: { tag: 'one', name: 'Peter' }, at: '2026-11-20T08:00:00Z', reason: 'They confirmed it' },
});
const quiet: CallFacts = {
  status: 'In Review',
  overdue: null,
  flags: [],
  surplusOwed: 0,
  restOwed: 0,
  payoutStep: undefined,
};
const overdue = { days: 3, outstanding: 900 };

it.each<[string, Partial<CallFacts>, CallReason | undefined]>([
  ['a case without flags', {}, undefined],
  ['an open flag before the review', { status: 'Submitted', flags: [flag('sameFile')] }, 'buyer'],
  ['an open flag', { flags: [flag('coverage')] }, 'buyer'],
  ['an acknowledged flag', { flags: [flag('coverage', false)] }, undefined],
  ['a flag about the account, which the buyer doesn’t know', { flags: [flag('newPayoutAccount')] }, undefined],
  ['a flag while the client is asked', { status: 'Info Requested', flags: [flag('dueDate')] }, undefined],
  ['a flag while the client has an offer', { status: 'Counter-offered', flags: [flag('dueDate')] }, undefined],
  ['an account to check', { status: 'Approved', payoutStep: 'check' }, 'account'],
  ['an account that waits', { status: 'Approved', payoutStep: 'wait', flags: [flag('dueDate')] }, undefined],
  ['an account to check before the approval', { payoutStep: 'check' }, undefined],
  ['an overdue advance', { status: 'Disbursed', overdue }, 'collect'],
  ['an advance that is not due', { status: 'Disbursed', payoutStep: 'check' }, undefined],
  ['an advance that was paid back', { status: 'Settled' }, undefined],
])('the reason to call about %s', (_, facts, expected) => {
  expect(callReasonOf({ ...quiet, ...facts })).toBe(expected);
});
