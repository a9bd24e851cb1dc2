import { describe, expect, it } from 'vitest';
import { attentionReply } from './attention.ts';
import { answerBody, progressReply, requestBody, submitBody } from './progress.ts';

const tag = '0f8fad5b-d9cb-469f-a165-70867728950e';
const at = '2026-11-20T13:20:00.000Z';

/** The first error message, as a person would read it. */
function complaint(parsed: {
  readonly error?: { readonly issues: readonly { readonly message: string }[] } | undefined;
}) {
  return parsed.error?.issues[0]?.message;
}

describe('what an officer asks for', () => {
  it('is a question, and no documents unless they are named', () => {
    expect(requestBody.parse({ question: 'Which delivery note?' })).toEqual({
      question: 'Which delivery note?',
      typeIds: [],
    });
    expect(requestBody.parse({ question: 'Both, please', typeIds: [1, 2] }).typeIds).toEqual([1, 2]);
  });

  it('is refused in words', () => {
    expect(complaint(requestBody.safeParse({ question: 'eh?' }))).toBe('Write what you need to know');
    expect(complaint(requestBody.safeParse({ question: 'Which?', typeIds: [0] }))).toBe('Select the type of document');
    const many = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
    expect(requestBody.safeParse({ question: 'Which?', typeIds: many(20) }).success).toBe(true);
    expect(requestBody.safeParse({ question: 'Which?', typeIds: many(21) }).success).toBe(false);
  });
});

describe('an answer and a submission', () => {
  it('may be empty, and carry their one field', () => {
    expect([answerBody.parse(undefined), submitBody.parse(undefined)]).toEqual([undefined, undefined]);
    expect(answerBody.parse({ answer: 'It is on its way' })).toEqual({ answer: 'It is on its way' });
    expect(complaint(answerBody.safeParse({ answer: 'a'.repeat(2001) }))).toBeDefined();
    expect(submitBody.parse({ keyFactsVersion: 'v'.repeat(100) })).toEqual({ keyFactsVersion: 'v'.repeat(100) });
    expect(submitBody.safeParse({ keyFactsVersion: 'v'.repeat(101) }).success).toBe(false);
  });

  it('carry nothing else', () => {
    expect(submitBody.safeParse({ keyFacts: 'v' }).success).toBe(false);
    expect(answerBody.safeParse({ note: 'v' }).success).toBe(false);
  });
});

describe('a reply', () => {
  const clock = { decideBy: at, minutesLeft: 240, missed: false, targetMinutes: 240 };
  const progress = {
    status: 'Info Requested',
    client: 'Nakasero Grains Ltd',
    buyer: 'Mukwano',
    clock: { ...clock, state: 'running' },
    overdue: null,
    steps: [{ step: 'submit', to: 'Submitted', at, by: null, note: null }],
    requests: [
      {
        tag,
        question: 'Which delivery note?',
        documents: [{ typeId: 1, type: 'Invoice', uploaded: false }],
        askedAt: at,
        answeredAt: null,
        answer: null,
        recalled: false,
      },
    ],
    declined: { reason: 'other', note: 'Not this time' },
    mayTake: ['answerRequest'],
    papers: { keyFacts: true, offerLetter: false, evidence: false },
  };

  it('tells everything of an application’s progress, in each state of its clock', () => {
    for (const state of ['none', 'running', 'stopped', 'ended']) {
      const reply = { ...progress, declined: null, clock: { ...clock, state } };
      expect(progressReply.parse(reply)).toEqual(reply);
    }
    expect(progressReply.safeParse({ ...progress, declined: null, clock: { ...clock, state: '' } }).success).toBe(
      false,
    );
  });

  it('tells what matters, each kind with what is known of it, or that nothing does', () => {
    const about = { tag, invoiceNumber: 'INV-1', currency: 'UGX' };
    const nothing = {
      balances: [],
      matters: [],
      more: { toDo: 0, onItsWay: 0 },
      needsPayoutAccount: false,
      blocked: null,
    };
    expect(attentionReply.parse(nothing)).toEqual(nothing);
    const overdue = { ...about, kind: 'overdue', amount: 900_000, daysLate: 11 };
    const asked = { ...about, kind: 'asked', question: 'Send it again', documents: [] };
    expect(attentionReply.safeParse({ ...nothing, matters: [overdue, asked] }).success).toBe(true);
    expect(attentionReply.safeParse({ ...nothing, matters: [{ ...overdue, daysLate: 0 }] }).success).toBe(false);
    expect(attentionReply.safeParse({ ...nothing, matters: [{ ...about, kind: 'paidOut' }] }).success).toBe(false);
  });
});
