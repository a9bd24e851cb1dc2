import { expect, it } from 'vitest';
import { Replay } from './replay.ts';
import { ReplayedJournal } from './replay-journal.ts';

/**
 * A repeated approval replaces one of two, and the event says which one (docs/decisions/0033-officers-who-cheat.md).
 */

const FAULT = 'approveAgain: taken by the officer who gave the other approval';

/** Approved by two officers, first `one` and then `two`, and then approved again by somebody. */
function approvedAgain(by: string, approval?: 'first' | 'decision'): Replay {
  const replay = new Replay(() => undefined);
  let id = 0;
  const record = (name: string, actorTag: string, after: object) => {
    id += 1;
    const event = { id, at: new Date(id), actorTag, action: `application.${name}`, after };
    replay.next(event);
  };
  record('submit', 'client', { status: 'Submitted' });
  record('startReview', 'one', { status: 'In Review' });
  record('approveFirst', 'one', { status: 'In Review' });
  record('approve', 'two', { status: 'Approved' });
  record('approveAgain', by, { status: 'Approved', ...(approval === undefined ? {} : { approval }) });
  return replay;
}

it.each([
  ['first', { first_approved_by: 'three', first_approved_at: 5, decided_by: 'two', decided_at: 4 }],
  ['decision', { first_approved_by: 'one', first_approved_at: 3, decided_by: 'three', decided_at: 4 }],
  [undefined, { first_approved_by: 'three', first_approved_at: 5, decided_by: 'two', decided_at: 4 }],
] as const)('a repeated approval replaces the %s one and keeps the time of the decision', (approval, columns) => {
  const { invoice, contradictions } = approvedAgain('three', approval);
  expect(invoice).toMatchObject(columns);
  expect(contradictions).not.toContain(FAULT);
});

it.each([
  ['one', true],
  ['two', false],
] as const)('the replay finds a contradiction in more time that one offered and %s agreed to: %s', (by, isOne) => {
  const replay = new Replay(() => undefined);
  const record = (id: number, name: string, actorTag: string) =>
    replay.next({ id, at: new Date(id), actorTag, action: `application.${name}`, after: { status: 'Disbursed' } });
  record(1, 'offerExtension', 'one');
  record(2, 'agreeExtension', by);
  expect(replay.contradictions.includes('more time: agreed by the officer who offered it')).toBe(isOne);
});

it.each([
  ['two', 'first'],
  ['two', undefined],
  ['one', 'decision'],
] as const)('an approval by officer %s, who gave the other one, as the %s is a contradiction', (by, approval) => {
  expect(approvedAgain(by, approval).contradictions).toContain(FAULT);
});

it('a step of an earlier release keeps its name in the log and follows the rules of the present step', () => {
  const replay = new Replay(() => undefined);
  const record = (id: number, name: string, status: string) =>
    replay.next({ id, at: new Date(id), actorTag: 'one', action: `application.${name}`, after: { status } });
  record(1, 'submit', 'Submitted');
  record(2, 'disburseRestSettled', 'Settled');
  record(3, 'settle', 'Settled');
  record(4, 'reverseRestSettled', 'Disbursed');
  expect(replay.steps.map(({ step }) => step)).toEqual([
    'submit',
    'disburseRestSettled',
    'settle',
    'reverseRestSettled',
  ]);
  expect(replay.contradictions).toEqual(
    expect.arrayContaining([
      'disburseRest: recorded in Submitted, which does not allow it',
      'reverseRest: recorded as leading to Disbursed, but it leads to Settled',
    ]),
  );
});

it('a reversal in an event of 1.0.0 reverses the payment that it refers to by number', () => {
  const journal = new ReplayedJournal((number) => (number === 7 ? 'paid' : undefined));
  const recorded = { recorded_at: 1, recorded_by: 'one' };
  const payment = { kind: 'receipt', amount: 500, paid_on: '2026-11-20', payer: 'buyer' };
  journal.enter({ ...payment, tag: 'paid' }, undefined, recorded);
  journal.enter({ ...payment, tag: 'other' }, undefined, recorded);
  journal.enter({ ...payment, tag: 'undone', amount: -500, reverses: 7 }, undefined, recorded);
  expect(journal.standing.map(({ tag }) => tag)).toEqual(['other']);
  expect(journal.entries.get('undone')).toMatchObject({ reverses: 'paid' });
});
