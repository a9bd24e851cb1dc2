import { describe, expect, it } from 'vitest';
import type { Refusal } from '#contract/refusals/refusal.ts';
import { HOUR_MS } from '#contract/time/durations.ts';
import { type OutlookFacts, outlookOf } from './outlook.ts';
import { sayEarliest, sayToOfficer } from './outlook-officer-words.ts';
import { sayToPayee } from './outlook-words.ts';
import type { Payee } from './payee.ts';
import { decidePreparation } from './payout.ts';
import { payoutSteps } from './schema.ts';

/** Friday, 12:00 in Kampala; Monday 23 November is a holiday. */
const now = new Date('2026-11-20T09:00:00Z');
const evening = new Date('2026-11-20T16:00:00Z');
const holidays = new Set(['2026-11-23']);
const TUESDAY_OPENING = '2026-11-24T05:00:00.000Z';

const payee: Payee = {
  verifiedAt: new Date('2026-11-01T08:00:00Z'),
  skipsWait: false,
  frozenAt: null,
  replacedAt: null,
  holderState: null,
};
const wallet = { currency: 'UGX', limits: { perPayment: undefined, perDay: 5_000_000_00 }, sentToday: 0 };
const facts: OutlookFacts = {
  now,
  holidays,
  amount: 801_000_00,
  payee,
  accountWaitMs: 24 * HOUR_MS,
  wallet: undefined,
  open: undefined,
  obstacle: undefined,
};
const account = 'MTN ••• 678';

/** Step, reason and date, and what the client reads. */
function read(given: Partial<OutlookFacts>) {
  const found = { ...facts, ...given };
  const { step, refusal, from } = outlookOf(found);
  const shown = { step, reason: refusal?.code ?? null, from: from?.toISOString() ?? null, account };
  return [step, shown.reason, shown.from, sayToPayee(shown, found.now)];
}

describe('the outlook of a payout', () => {
  it.each<[string, Partial<OutlookFacts>, ReturnType<typeof read>]>([
    [
      'nothing stops preparing',
      {},
      ['prepare', null, now.toISOString(), "Cash from today: we'll tell you when it's sent"],
    ],
    [
      'it is prepared outside working time',
      { open: { releasedAt: null, isHeld: false }, now: evening },
      ['release', null, TUESDAY_OPENING, "Cash from Tue 24 Nov: we'll tell you when it's sent"],
    ],
    [
      'it is released',
      { open: { releasedAt: now, isHeld: false } },
      ['follow', null, null, `On its way to ${account}`],
    ],
    [
      'it is released, and its account was frozen before it was sent',
      { open: { releasedAt: now, isHeld: true }, payee: { ...payee, frozenAt: now } },
      ['stop', null, null, `We stopped this payment to ${account}. We'll call you`],
    ],
    [
      'no account is named',
      { payee: undefined },
      ['askClient', 'PAYOUT_ACCOUNT_MISSING', null, 'Tell us where to send it'],
    ],
    [
      'the account is frozen',
      { payee: { ...payee, frozenAt: now } },
      [
        'askClient',
        'PAYOUT_ACCOUNT_FROZEN',
        null,
        `${account} is frozen: we pay nothing to it. Choose another account`,
      ],
    ],
    [
      'the account is replaced',
      { payee: { ...payee, replacedAt: now } },
      ['askClient', 'PAYOUT_ACCOUNT_REPLACED', null, `We can't pay to ${account}. Choose another account`],
    ],
    [
      'nobody can be paid at the number',
      { payee: { ...payee, holderState: 'closed' } },
      ['askClient', 'PAYOUT_NUMBER_INACTIVE', null, `We can't pay to ${account}. Choose another account`],
    ],
    [
      'the wallet never takes as much',
      { wallet, amount: 5_000_001_00 },
      ['askClient', 'ABOVE_WALLET', null, `${account} doesn't take this much. Choose a bank account`],
    ],
    [
      'the wallet takes no more today, and tomorrow is no working day',
      { wallet: { ...wallet, sentToday: 4_500_000_00 } },
      ['wait', 'WALLET_FULL_TODAY', TUESDAY_OPENING, `Cash from Tue 24 Nov: ${account} takes no more today`],
    ],
    [
      'the account is not checked: we call in working time, then it waits',
      { payee: { ...payee, verifiedAt: null }, now: evening },
      [
        'check',
        'PAYOUT_ACCOUNT_UNVERIFIED',
        '2026-11-25T05:00:00.000Z',
        `Cash from Wed 25 Nov: we call you first about ${account}`,
      ],
    ],
    [
      'the account is not checked, but needs no wait then',
      { payee: { ...payee, verifiedAt: null, skipsWait: true }, now: evening },
      [
        'check',
        'PAYOUT_ACCOUNT_UNVERIFIED',
        TUESDAY_OPENING,
        `Cash from Tue 24 Nov: we call you first about ${account}`,
      ],
    ],
    [
      'the account waits until Thursday noon',
      { payee: { ...payee, verifiedAt: new Date('2026-11-25T09:00:00Z') }, now: new Date('2026-11-25T10:00:00Z') },
      [
        'wait',
        'PAYOUT_ACCOUNT_NEW',
        '2026-11-26T09:00:00.000Z',
        `Cash from tomorrow: ${account} can be used from then`,
      ],
    ],
    [
      'a flag is open',
      { obstacle: { code: 'FLAG_OPEN' } },
      ['clear', 'FLAG_OPEN', now.toISOString(), "Cash from today: we'll tell you when it's sent"],
    ],
    [
      'the second approval is missing',
      { obstacle: { code: 'SECOND_APPROVAL' }, open: { releasedAt: null, isHeld: false } },
      ['clear', 'SECOND_APPROVAL', now.toISOString(), "Cash from today: we'll tell you when it's sent"],
    ],
    [
      'the approval is void',
      { obstacle: { code: 'APPROVAL_VOID' }, now: evening },
      ['clear', 'APPROVAL_VOID', TUESDAY_OPENING, "Cash from Tue 24 Nov: we'll tell you when it's sent"],
    ],
    [
      'the client is late with another advance',
      { obstacle: { code: 'CLIENT_OVERDUE' } },
      ['clear', 'CLIENT_OVERDUE', null, 'Pay back what is late, then we send this'],
    ],
    [
      'the limit does not hold',
      { obstacle: { code: 'LIMIT_NOT_HELD' } },
      ['clear', 'LIMIT_NOT_HELD', null, "We'll call you before we send it"],
    ],
    [
      'the account waits and a flag is open: the account takes longer',
      { payee: { ...payee, verifiedAt: now }, obstacle: { code: 'FLAG_OPEN' } },
      ['wait', 'PAYOUT_ACCOUNT_NEW', TUESDAY_OPENING, `Cash from Tue 24 Nov: ${account} can be used from then`],
    ],
  ])('says what is next if %s', (_, given, expected) => {
    expect(read(given)).toEqual(expected);
  });

  it('is grouped as what can be done now, what waits, and what is on its way', () => {
    expect(Object.entries(payoutSteps).map(([step, group]) => `${step} ${group}`)).toEqual([
      'askClient now',
      'check now',
      'clear now',
      'prepare now',
      'release now',
      'wait waits',
      'follow onItsWay',
      'stop onItsWay',
    ]);
  });

  it('differs in nothing from what preparing refuses', () => {
    const accounts = [
      payee,
      { ...payee, verifiedAt: null },
      { ...payee, verifiedAt: now },
      { ...payee, frozenAt: now },
      { ...payee, replacedAt: now },
      { ...payee, holderState: 'none' } as const,
    ];
    const officer = { now, newUntil: undefined, openFlags: [], approval: undefined };
    for (const each of accounts) {
      for (const sentToday of [0, 4_500_000_00]) {
        const given = { ...facts, payee: each, wallet: { ...wallet, sentToday } };
        const due = { kind: 'disbursement', amount: facts.amount } as const;
        const [refusal] = decidePreparation({ ...given, due, officer }).refusals;
        expect(outlookOf(given).refusal).toEqual(refusal);
      }
    }
  });
});

describe('an officer reads', () => {
  it.each<[Refusal, string]>([
    [{ code: 'PAYOUT_ACCOUNT_MISSING' }, 'Ask where to send it'],
    [{ code: 'PAYOUT_ACCOUNT_UNVERIFIED' }, 'Call about this account'],
    [{ code: 'PAYOUT_ACCOUNT_FROZEN' }, 'Frozen: ask the client, then check it again'],
    [{ code: 'PAYOUT_ACCOUNT_REPLACED' }, 'Replaced: ask for another account'],
    [{ code: 'PAYOUT_NUMBER_INACTIVE' }, 'Nobody has this number: ask for another account'],
    [
      { code: 'ABOVE_WALLET', more: 'It takes up to UGX 20,000,000' },
      'It takes up to UGX 20,000,000: ask for a bank account',
    ],
    [{ code: 'PAYOUT_ACCOUNT_NEW', more: 'You can pay to it from 12:00 today' }, 'You can pay to it from 12:00 today'],
    [{ code: 'WALLET_FULL_TODAY', more: 'It takes UGX 1 more today' }, 'It takes UGX 1 more today'],
    [{ code: 'CLIENT_INACTIVE' }, 'The client’s business is not active. Activate it under Businesses first'],
  ])('%o', (refusal, text) => {
    expect(sayToOfficer(refusal)).toBe(text);
  });

  it('from when the cash can go at the earliest, unless nothing but paying is missing', () => {
    const shown = { step: 'check', reason: 'PAYOUT_ACCOUNT_UNVERIFIED', from: TUESDAY_OPENING, account } as const;
    expect(sayEarliest(shown, now)).toBe('Cash from Tue 24 Nov at the earliest');
    expect(sayEarliest({ ...shown, from: null }, now)).toBeNull();
    expect(sayEarliest({ ...shown, step: 'prepare', reason: null }, now)).toBeNull();
  });
});
