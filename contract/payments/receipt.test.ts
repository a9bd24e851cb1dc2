import { describe, expect, it } from 'vitest';
import type { Receipt } from './payment.ts';
import { decideReceipt, type ReceiptFacts } from './receipt.ts';

const paidOut = { kind: 'disbursement', amount: 801, date: '2026-12-01', method: 'mtn', reference: 'MM 1' } as const;
const received = {
  kind: 'receipt',
  amount: 100,
  date: '2026-12-02',
  method: 'bank',
  reference: 'BK-1',
  payer: 'buyer',
} as const;

const invoice = {
  tag: 'a',
  status: 'Disbursed',
  currencyCode: 'USD',
  faceValue: 1_000,
  case: { decidedAt: new Date('2026-12-01T08:00:00Z'), settledOn: null },
} as const;
const facts: ReceiptFacts = {
  account: { invoice, application: { advance: 900, netProceeds: 801 }, standing: [paidOut, received] },
  derivation: {
    terms: { advance: 900, lateChargeBps: 0, dueOn: '2026-12-31', unit: 1 },
    history: { pauses: [], closings: [], charged: [] },
    today: '2026-12-05',
  },
  counted: { isOnStatement: false, uses: [] },
  leftAlone: 5_000,
};
const receipt: Receipt = { ...received, reference: 'BK-2', date: '2026-12-03', amount: 300 };

const inStatus = (status: 'Approved' | 'Settled') => ({
  account: { ...facts.account, invoice: { ...invoice, status } },
});
const refusalsOf = (given: Partial<ReceiptFacts>, change: Partial<Receipt>) =>
  decideReceipt({ ...facts, ...given }, { ...receipt, ...change }).refusals.map(({ code, fields, more }) => [
    code,
    ...Object.keys(fields ?? {}),
    ...(more === undefined ? [] : [more]),
  ]);

describe('a receipt', () => {
  it.each<[string, Partial<ReceiptFacts>, Partial<Receipt>, readonly string[][]]>([
    ['of money that came', {}, {}, []],
    ['of more than the invoice that is confirmed', {}, { amount: 1_000, confirmed: true }, []],
    ['that a statement has', { counted: { isOnStatement: true, uses: [] } }, {}, [['PAYMENT_RECORDED', 'reference']]],
    ['of tomorrow', {}, { date: '2026-12-06' }, [['BAD_REQUEST', 'date']]],
    ['before the payout', inStatus('Approved'), {}, [['STEP_NOT_ALLOWED']]],
    [
      'that is recorded, written in another way and with another amount',
      {},
      { reference: 'bk 1', date: received.date },
      [['PAYMENT_RECORDED', 'reference']],
    ],
    [
      'from a statement’s line is compared elsewhere',
      {},
      { reference: 'bk 1', date: received.date, line: { id: 1, tag: 'l' } },
      [],
    ],
    ['of more than the invoice', {}, { amount: 901 }, [['RECEIPT_LARGE', 'amount']]],
    ['of the day before the payout', {}, { date: '2026-11-30' }, [['DATE_TOO_EARLY', 'date']]],
    [
      'of more than one officer may record',
      { leftAlone: 299 },
      {},
      [['RECEIPT_TAKES_TWO', 'One officer can record up to USD 2.99 more for this client']],
    ],
    [
      'that nothing allows',
      { ...inStatus('Approved'), leftAlone: 0, counted: { isOnStatement: true, uses: [] } },
      { date: '2026-12-06', amount: 999_999_999_999_999 },
      [
        ['PAYMENT_RECORDED', 'reference'],
        ['BAD_REQUEST', 'date'],
        ['STEP_NOT_ALLOWED'],
        ['BAD_REQUEST', 'amount'],
        ['RECEIPT_LARGE', 'amount'],
        ['RECEIPT_TAKES_TWO', 'One officer can record up to USD 0 more for this client'],
      ],
    ],
  ])('%s', (_, given, change, expected) => {
    expect(refusalsOf(given, change)).toEqual(expected);
  });

  it.each([
    ['a part', {}, 300, 'receivePart'],
    ['the rest', {}, 800, 'settle'],
    ['more than the rest', {}, 801, 'settle'],
    ['what comes later', inStatus('Settled'), 1, 'receiveMore'],
  ] as const)('of %s', (_, given, amount, step) => {
    const { decision } = decideReceipt({ ...facts, ...given }, { ...receipt, amount });
    expect(decision).toMatchObject({ step, entry: { kind: 'receipt', amount, reference: 'BK-2', payer: 'buyer' } });
  });

  it('that came before a late day takes its charge back, and settles', () => {
    const late = { kind: 'lateCharge', amount: 5, date: '2026-12-05', method: null, reference: null } as const;
    const account = { ...facts.account, standing: [paidOut, received, late] };
    const terms = { ...facts.derivation.terms, lateChargeBps: 50, dueOn: '2026-12-04' };
    const given = { ...facts, account, derivation: { ...facts.derivation, terms } };
    const { decision } = decideReceipt(given, { ...receipt, amount: 800, date: '2026-12-04' });
    expect(decision).toMatchObject({ step: 'settle', correction: { post: [], reverse: [late] } });
    expect(decision?.standing).toHaveLength(3);
  });
});
