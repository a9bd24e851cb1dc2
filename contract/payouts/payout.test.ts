import { describe, expect, it } from 'vitest';
import type { DuePayout } from '#contract/payments/payment.ts';
import { acceptPayment } from '#contract/payments/payment.ts';
import type { Refusal } from '#contract/refusals/refusal.ts';
import type { PayingFacts } from './officers.ts';
import type { Payee } from './payee.ts';
import {
  decidePreparation,
  decideRelease,
  findPreparable,
  type PreparationFacts,
  type ReleaseFacts,
  refusalsOnScreen,
} from './payout.ts';

const now = new Date('2026-11-20T09:00:00Z');
const invoice = {
  status: 'Approved',
  currencyCode: 'UGX',
  faceValue: 100_000_000,
  case: { decidedAt: new Date('2026-11-19T08:00:00Z'), settledOn: null },
} as const;
const application = { advance: 90_000_000, netProceeds: 80_100_000 };
const account = { invoice, application, standing: [] };
const payee = {
  tag: 'a',
  provider: 'mtn',
  number: '0772345678',
  holderName: 'Sarah Nabirye',
  bankName: null,
  verifiedAt: new Date('2026-11-18T08:00:00Z'),
  skipsWait: false,
  frozenAt: null,
  replacedAt: null,
  holderState: null,
} as const;
const frozen = { ...payee, frozenAt: now };
const small = { currency: 'UGX', limits: { perPayment: undefined, perDay: 5_000_000 }, sentToday: 0 };
const officer: PayingFacts = {
  now,
  newUntil: undefined,
  openFlags: [],
  approval: undefined,
  kind: 'disbursement',
  recorders: { releaser: { id: 1, own: [] }, preparer: { id: 2, own: [] } },
  approvers: { firstApprovedBy: null, decidedBy: 3 },
};
const newOfficer = { ...officer, newUntil: new Date('2026-11-27T08:00:00Z') };

const codesOf = (refusals: readonly Refusal[]) =>
  refusals.map(({ code, fields }) => [code, ...Object.keys(fields ?? {})].join(' '));

describe('a payout is prepared', () => {
  const due: DuePayout = { kind: 'disbursement', amount: 80_100_000 };
  const facts: PreparationFacts<Payee> = { now, due, payee, accountWaitMs: 0, wallet: undefined, officer };
  const seen = { amount: 80_100_000, accountTag: 'A' };

  it('as the officer saw it', () => {
    expect(findPreparable({ open: undefined, due, payee }, seen).decision).toEqual({ ...due, payee });
    expect(decidePreparation(facts).decision).toEqual({ ...due, payee });
  });

  it.each<[string, object, object, readonly string[]]>([
    ['one is prepared', { open: { releasedAt: null } }, {}, ['PAYOUT_PREPARED']],
    ['one is on its way', { open: { releasedAt: now } }, {}, ['PAYOUT_ON_ITS_WAY']],
    ['nothing is due', { due: undefined }, {}, ['PAYOUT_NOTHING']],
    ['the client chose no account', { payee: undefined }, {}, ['PAYOUT_ACCOUNT_MISSING']],
    ['the officer saw another amount', {}, { amount: 80_000_000 }, ['PAYOUT_CHANGED']],
    ['the officer saw another account', {}, { accountTag: 'b' }, ['PAYOUT_CHANGED']],
  ])('not if %s', (_, given, change, expected) => {
    const found = { open: undefined, due, payee, ...given };
    expect(codesOf(findPreparable(found, { ...seen, ...change }).refusals)).toEqual(expected);
  });

  it.each<[string, Partial<PreparationFacts<Payee>>, readonly string[]]>([
    ['the account waits', { accountWaitMs: 72 * 3_600_000 }, ['PAYOUT_ACCOUNT_NEW']],
    ['nobody can be paid there', { payee: { ...payee, holderState: 'closed' } }, ['PAYOUT_NUMBER_INACTIVE']],
    [
      'nothing but what was seen is right',
      { officer: newOfficer, payee: frozen, wallet: small },
      ['NEW_OFFICER', 'PAYOUT_ACCOUNT_FROZEN', 'ABOVE_WALLET'],
    ],
  ])('not if %s', (_, given, expected) => {
    expect(codesOf(decidePreparation({ ...facts, ...given }).refusals)).toEqual(expected);
  });
});

describe('a payout is released', () => {
  const open = { tag: 'p', kind: 'disbursement', amount: 80_100_000, preparedAt: now, preparedBy: 2 } as const;
  const facts: ReleaseFacts = {
    now,
    me: 1,
    account,
    open,
    payee,
    accountWaitMs: 0,
    wallet: undefined,
    isByHand: true,
    before: { underReference: undefined, leftAfterAll: undefined },
    officer,
  };
  const seen = { amount: 80_100_000, accountTag: 'a' };
  const paid = { ...seen, reference: 'R-1', date: '2026-11-20' };
  const leftBefore = {
    method: 'mtn',
    reference: 'r 1',
    amount: 80_100_000,
    paidOn: '2026-11-19',
    reversedOn: '2026-11-19',
    isShownPaid: true,
  } as const;

  it('by hand as the officer paid it', () => {
    const { decision } = decideRelease(facts, paid);
    expect(decision && acceptPayment(facts.account, decision)).toMatchObject({
      step: 'disburse',
      payment: { to: 'MTN ••• 678, Sarah Nabirye' },
      entry: { kind: 'disbursement', amount: 80_100_000, method: 'mtn', reference: 'R-1', date: '2026-11-20' },
    });
  });

  it('by a provider under its own tag, today', () => {
    const { decision } = decideRelease({ ...facts, isByHand: false }, seen);
    expect(decision && acceptPayment(facts.account, decision).entry).toMatchObject({
      reference: 'p',
      date: '2026-11-20',
    });
  });

  it('by hand again, if the same payment left after all', () => {
    const before = { ...facts.before, leftAfterAll: leftBefore };
    expect(decideRelease({ ...facts, before }, paid).refusals).toEqual([]);
    expect(codesOf(decideRelease({ ...facts, before }, { ...paid, reference: 'R-2' }).refusals)).toEqual([
      'PAID_ALREADY',
    ]);
  });

  it.each<[string, object, object, readonly string[]]>([
    ['by who prepared it', { me: 2 }, paid, ['OWN_PAYOUT']],
    ['with another amount than was seen', {}, { ...paid, amount: 1 }, ['PAYOUT_CHANGED']],
    ['by a provider and by hand', { isByHand: false }, paid, ['PAYOUT_SENT_BY_US']],
    ['by hand without its reference', {}, { ...paid, reference: undefined }, ['BAD_REQUEST reference']],
    ['dated before it was prepared', {}, { ...paid, date: '2026-11-19' }, ['DATE_TOO_EARLY date']],
    ['dated tomorrow', {}, { ...paid, date: '2026-11-21' }, ['BAD_REQUEST date']],
    ['to a frozen account', { payee: frozen }, paid, ['PAYOUT_ACCOUNT_FROZEN']],
    ['to a wallet that is full', { wallet: small }, paid, ['ABOVE_WALLET']],
    [
      'under a reference that is used',
      {
        before: {
          ...facts.before,
          underReference: { amount: 5, currency: 'UGX', paidOn: '2026-11-19', invoiceNumber: null },
        },
      },
      paid,
      ['REFERENCE_PAID reference'],
    ],
    ['by an officer who may not', { officer: newOfficer }, paid, ['NEW_OFFICER']],
    [
      'in a state without it',
      { account: { ...account, invoice: { ...invoice, status: 'Cancelled' } } },
      paid,
      ['STEP_NOT_ALLOWED', 'NOT_NET_PROCEEDS amount'],
    ],
    [
      'against everything: what was seen, the account, what was paid before, the officer, the amount',
      {
        me: 2,
        payee: frozen,
        before: { ...facts.before, leftAfterAll: leftBefore },
        officer: newOfficer,
        open: { ...open, amount: 5 },
      },
      { ...paid, reference: 'R-2', date: '2026-11-21' },
      [
        'OWN_PAYOUT',
        'PAYOUT_CHANGED',
        'PAYOUT_ACCOUNT_FROZEN',
        'PAID_ALREADY',
        'BAD_REQUEST date',
        'NEW_OFFICER',
        'NOT_NET_PROCEEDS amount',
      ],
    ],
  ])('not %s', (_, given, command, expected) => {
    expect(codesOf(decideRelease({ ...facts, ...given }, { ...seen, ...command }).refusals)).toEqual(expected);
  });
});

describe('the screen of a payout', () => {
  const shown = { now, me: 1, payee, accountWaitMs: 0, wallet: undefined };
  const open = { tag: 'p', kind: 'disbursement', amount: 80_100_000, preparedAt: now, preparedBy: 2 } as const;

  it.each<[string, object, typeof open | undefined, readonly string[]]>([
    ['nothing of what comes next', {}, undefined, []],
    ['nothing of what another officer prepared', {}, open, []],
    ['a missing account', { payee: undefined }, undefined, ['PAYOUT_ACCOUNT_MISSING']],
    [
      'all of it',
      { me: 2, payee: frozen, wallet: small },
      open,
      ['OWN_PAYOUT', 'PAYOUT_ACCOUNT_FROZEN', 'ABOVE_WALLET'],
    ],
  ])('says what stands against it: %s', (_, given, prepared, expected) => {
    expect(codesOf(refusalsOnScreen({ ...shown, ...given }, prepared, 80_100_000))).toEqual(expected);
  });
});
