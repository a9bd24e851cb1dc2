import { expect, it } from 'vitest';
import { Replay } from './replay.ts';
import { ReplayedJournal } from './replay-journal.ts';

/** An approval that is given again replaces one of two, and the event says which (docs/decisions/0033-officers-who-cheat.md). */

const FAULT = 'approveAgain: recorded of the officer who gave the other approval';

/** Approved by two, `one` first and `two` second, and then approved again by somebody. */
function approvedAgain(by: string, approval?: 'first' | 'decision'): Replay {
  const replay = new Replay(() => undefined);
  let id = 0;
  const tell = (name: string, actorTag: string, after: object) => {
    id += 1;
    const event = { id, at: new Date(id), actorTag, action: `application.${name}`, after };
    replay.next(event);
  };
  tell('submit', 'client', { status: 'Submitted' });
  tell('startReview', 'one', { status: 'In Review' });
  tell('approveFirst', 'one', { status: 'In Review' });
  tell('approve', 'two', { status: 'Approved' });
  tell('approveAgain', by, { status: 'Approved', ...(approval === undefined ? {} : { approval }) });
  return replay;
}

it.each([
  ['first', { first_approved_by: 'three', first_approved_at: 5, decided_by: 'two', decided_at: 4 }],
  ['decision', { first_approved_by: 'one', first_approved_at: 3, decided_by: 'three', decided_at: 4 }],
  [undefined, { first_approved_by: 'three', first_approved_at: 5, decided_by: 'two', decided_at: 4 }],
] as const)('the %s one is in its place, and when it was decided stays', (approval, columns) => {
  const { invoice, contradictions } = approvedAgain('three', approval);
  expect(invoice).toMatchObject(columns);
  expect(contradictions).not.toContain(FAULT);
});

it.each([
  ['one', true],
  ['two', false],
] as const)('the replay finds a contradiction in more time that one offered and %s agreed to: %s', (by, isOne) => {
  const replay = new Replay(() => undefined);
  const tell = (id: number, name: string, actorTag: string) =>
    replay.next({ id, at: new Date(id), actorTag, action: `application.${name}`, after: { status: 'Disbursed' } });
  tell(1, 'offerExtension', 'one');
  tell(2, 'agreeExtension', by);
  expect(replay.contradictions.includes('more time: agreed by the officer who offered it')).toBe(isOne);
});

it.each([
  ['two', 'first'],
  ['two', undefined],
  ['one', 'decision'],
] as const)('an approval by officer %s, who gave the other one, as the %s is a contradiction', (by, approval) => {
  expect(approvedAgain(by, approval).contradictions).toContain(FAULT);
});

it('a step in the record of an earlier release keeps its name, and follows the rules of today’s step', () => {
  const replay = new Replay(() => undefined);
  const tell = (id: number, name: string, status: string) =>
    replay.next({ id, at: new Date(id), actorTag: 'one', action: `application.${name}`, after: { status } });
  tell(1, 'submit', 'Submitted');
  tell(2, 'disburseRestSettled', 'Settled');
  tell(3, 'settle', 'Settled');
  tell(4, 'reverseRestSettled', 'Disbursed');
  expect(replay.steps.map(({ step }) => step)).toEqual([
    'submit',
    'disburseRestSettled',
    'settle',
    'reverseRestSettled',
  ]);
  expect(replay.contradictions).toEqual(
    expect.arrayContaining([
      'disburseRest: recorded in Submitted, which does not allow it',
      'reverseRest: recorded as leading to Disbursed, and it leads to Settled',
    ]),
  );
});

it('a reversal in an event of 1.0.0 takes back the payment that it names by its number', () => {
  const journal = new ReplayedJournal((number) => (number === 7 ? 'paid' : undefined));
  const recorded = { recorded_at: 1, recorded_by: 'one' };
  const payment = { kind: 'receipt', amount: 500, paid_on: '2026-11-20', payer: 'buyer' };
  journal.enter({ ...payment, tag: 'paid' }, undefined, recorded);
  journal.enter({ ...payment, tag: 'other' }, undefined, recorded);
  journal.enter({ ...payment, tag: 'undone', amount: -500, reverses: 7 }, undefined, recorded);
  expect(journal.standing.map(({ tag }) => tag)).toEqual(['other']);
  expect(journal.entries.get('undone')).toMatchObject({ reverses: 'paid' });
});
