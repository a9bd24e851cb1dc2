import { expect, it } from 'vitest';
import type { CaseAction, OfferedAction } from '#contract/desk/schema.ts';
import { actionLabel, mainOf, standingOf } from './case-actions.ts';

const mine = { tag: 'me', name: 'Peter Okello' };
const other = { tag: 'other', name: 'Grace Namukasa' };
const clock = { state: 'running', decideBy: null, minutesLeft: 1, missed: false, targetMinutes: 240 } as const;
const free = {
  status: 'Submitted',
  holder: null,
  firstApprovalBy: null,
  needsTwo: false,
  approvalVoid: false,
  secondMissing: false,
  barred: null,
  clock,
} as const;

const usable = (action: CaseAction): OfferedAction => ({ action, refusals: [] });
const stopped = (action: CaseAction): OfferedAction => ({
  action,
  refusals: [{ code: 'CLIENT_OVERDUE', text: 'The client is late' }],
});

it('the main action is the approval, also while something stops it', () => {
  expect(mainOf([usable('decline'), usable('approve')])).toEqual(usable('approve'));
  expect(mainOf([stopped('approve'), usable('decline')])).toEqual(stopped('approve'));
  expect(mainOf([usable('recallRequest'), usable('take')])).toBeUndefined();
});

it.each([
  ['whoever may take it', free, undefined],
  ['who has it', { ...free, holder: mine }, undefined],
  ['who waits for the client', { ...free, holder: mine, clock: { ...clock, state: 'stopped' } }, 'The clock is paused'],
  ['who finds it with another officer', { ...free, holder: other }, 'Grace Namukasa decides this case.'],
  ['who gave the first approval', { ...free, status: 'In Review', firstApprovalBy: mine }, 'Another officer must give'],
  ['who belongs to a business of it', { ...free, barred: 'ownBusiness' }, 'You belong to this business'],
  ['who finds an approval void', { ...free, status: 'Approved', approvalVoid: true }, 'must approve it again'],
  ['who finds one missing', { ...free, status: 'Approved', secondMissing: true }, 'takes two approvals now'],
  ['whoever pays it', { ...free, status: 'Approved' }, undefined],
  ['whoever looks at it afterwards', { ...free, status: 'Declined' }, undefined],
] as const)('what holds a case up is said to %s', (_, subject, said) => {
  if (said === undefined) expect(standingOf(subject, 'me')).toBeUndefined();
  else expect(standingOf(subject, 'me')).toContain(said);
});

it('the label of an approval says which of two it is', () => {
  expect(actionLabel('cancelApproval', { ...free, status: 'Approved' })).toBe('Cancel Approval');
  expect(actionLabel('approve', free)).toBe('Approve');
  expect(actionLabel('approve', { ...free, needsTwo: true })).toBe('Approve (first of two)');
  expect(actionLabel('approve', { ...free, needsTwo: true, firstApprovalBy: other })).toBe('Approve (second of two)');
  expect(actionLabel('approve', { ...free, status: 'Approved' })).toBe('Approve Again');
  expect(actionLabel('approve', { ...free, status: 'Approved', secondMissing: true })).toBe('Approve (second of two)');
});
