import { describe, expect, it } from 'vitest';
import { decideReversal, type ReversalFacts, takesTwo } from './reversal.ts';

const ME = 1;
const OTHER = 2;
const recorded = { recordedAt: new Date('2026-12-02T08:00:00Z'), recordedBy: OTHER } as const;
const paidOut = { ...recorded, kind: 'disbursement', amount: 501, date: '2026-12-01' } as const;
const laterPart = { ...paidOut, amount: 300, date: '2026-12-02' } as const;
const receipt = { ...recorded, kind: 'receipt', amount: 900, date: '2026-12-03' } as const;
const extra = { ...receipt, amount: 100 } as const;
const surplus = { ...recorded, kind: 'surplus', amount: 100, date: '2026-12-04' } as const;
const deduction = { ...recorded, kind: 'deduction', amount: 5, date: '2026-12-04' } as const;
const feeEarned = { ...recorded, kind: 'feeEarned', amount: 10, date: '2026-12-02', recordedBy: null } as const;
const lateCharge = { ...feeEarned, kind: 'lateCharge', amount: 5, date: '2026-12-04' } as const;
const extension = { ...recorded, kind: 'extension', amount: 20, date: '2026-12-04' } as const;
const writeOff = { ...recorded, kind: 'writeOff', amount: 900, date: '2026-12-04' } as const;

type Entry = ReversalFacts['original'];

const nothingElse = {
  me: ME,
  derivation: {
    terms: { advance: 900, lateChargeBps: 0, dueOn: '2026-12-31', unit: 1 },
    history: { pauses: [], closings: [], charged: [] },
    today: '2026-12-05',
  },
  accepted: [],
  underWay: undefined,
  isRequestOpen: false,
  isShownPaid: false,
  open: undefined,
} as const;
const factsOf = (original: Entry, besides: readonly Entry[], given: Partial<ReversalFacts> = {}): ReversalFacts => ({
  ...nothingElse,
  account: { invoice: { status: 'Disbursed' }, standing: [...besides, original] },
  original,
  ...given,
});
type Act = Parameters<typeof decideReversal>[1];
const refusalsOf = (facts: ReversalFacts, act: Act) => decideReversal(facts, act).refusals.map(({ code }) => code);

describe('a reversal', () => {
  const onItsWay = { underWay: 'PAYOUT_ON_ITS_WAY' } as const;

  it.each<[string, Entry, readonly Entry[], Partial<ReversalFacts>, readonly string[]]>([
    ['of a receipt', receipt, [paidOut], {}, []],
    ['of a receipt beside a prepared payout', receipt, [paidOut], { underWay: 'PAYOUT_PREPARED' }, []],
    ['of a receipt while a payout is on its way', receipt, [paidOut], onItsWay, ['PAYOUT_ON_ITS_WAY']],
    ['of a receipt while a phone is asked', receipt, [paidOut], { isRequestOpen: true }, []],
    ['of a receipt of a surplus that was paid on', receipt, [paidOut, extra, surplus], {}, ['SURPLUS_EXISTS']],
    ['of a deduction while a payout is on its way', deduction, [paidOut], onItsWay, []],
    ['of an extension', extension, [paidOut], onItsWay, ['STEP_NOT_ALLOWED']],
    ['of a derived entry', lateCharge, [paidOut], {}, ['STEP_NOT_ALLOWED']],
    ['of a payout', paidOut, [feeEarned], {}, []],
    ['of a payout while a phone is asked', paidOut, [], { isRequestOpen: true }, ['REQUEST_OPEN']],
    ['of a payout that is shown as paid', paidOut, [], { isShownPaid: true }, ['SHOWN_PAID']],
    ['of a surplus that is shown as paid', surplus, [paidOut, receipt], { isShownPaid: true }, ['SHOWN_PAID']],
    ['of a payout that was paid back', paidOut, [receipt], {}, ['RECEIPTS_EXIST']],
    ['of a payout with a deduction', paidOut, [deduction], {}, ['RECEIPTS_EXIST']],
    ['of a payout with an extension', paidOut, [extension], {}, ['EXTENSION_ACCEPTED']],
    ['of a payout that was written off', paidOut, [writeOff], {}, ['WRITTEN_OFF']],
    [
      'of a payout that nothing allows',
      paidOut,
      [receipt],
      { ...onItsWay, isRequestOpen: true, isShownPaid: true },
      ['PAYOUT_ON_ITS_WAY', 'REQUEST_OPEN', 'SHOWN_PAID', 'RECEIPTS_EXIST'],
    ],
  ])('%s', (_, original, besides, given, expected) => {
    expect(refusalsOf(factsOf(original, besides, given), 'confirm')).toEqual(expected);
  });

  it.each([
    ['a receipt', receipt, [], ['STEP_NOT_ALLOWED']],
    ['a deduction', deduction, [], ['STEP_NOT_ALLOWED']],
    ['a surplus', surplus, ['REVERSAL_TAKES_TWO'], []],
    ['a payout', laterPart, ['REVERSAL_TAKES_TWO'], []],
  ] as const)('of %s takes one officer or two', (_, original, alone, proposed) => {
    const facts = factsOf(original, [paidOut]);
    expect(refusalsOf(facts, 'reverse')).toEqual(alone);
    expect(refusalsOf(facts, 'propose')).toEqual(proposed);
    expect(takesTwo(original.kind)).toBe(proposed.length === 0);
  });

  it('is proposed only if no other proposal is open, and confirmed only while one is', () => {
    const facts = factsOf(surplus, [paidOut, receipt, extra], { open: {} });
    expect(refusalsOf(facts, 'propose')).toEqual(['PROPOSAL_OPEN']);
    expect(refusalsOf(facts, 'confirm')).toEqual([]);
    expect(refusalsOf({ ...facts, isShownPaid: true }, 'propose')).toEqual(['SHOWN_PAID', 'PROPOSAL_OPEN']);
    expect(refusalsOf({ ...facts, isShownPaid: true }, 'reverse')).toEqual(['SHOWN_PAID', 'REVERSAL_TAKES_TWO']);
  });

  it.each([
    ['the last repayment', receipt, 'Settled', [paidOut], 'reverseSettlement', 'receipt'],
    ['a part', extra, 'Disbursed', [paidOut], 'reversePart', 'receipt'],
    ['a surplus', surplus, 'Settled', [paidOut, receipt, extra], 'reverseSurplus', undefined],
    ['a deduction', deduction, 'Disbursed', [paidOut], undefined, undefined],
    ['a later part', laterPart, 'Disbursed', [paidOut], 'reverseRest', undefined],
    ['the only payout', paidOut, 'Disbursed', [], 'reverseDisbursement', 'disbursement'],
  ] as const)('of %s decides its step and whether an extension ends', (_, original, status, besides, ...expected) => {
    const facts = factsOf(original, besides);
    const { decision } = decideReversal({ ...facts, account: { ...facts.account, invoice: { status } } }, 'confirm');
    expect([decision?.step, decision?.endsExtension]).toEqual(expected);
    expect(decision?.standing).toEqual(besides);
  });

  it('of the first of several parts is refused, and of a later one is not, whatever follows', () => {
    const account = { invoice: { status: 'Disbursed' }, standing: [paidOut, laterPart, receipt] } as const;
    const given = { account, isRequestOpen: true };
    expect(refusalsOf(factsOf(paidOut, [], given), 'confirm')).toEqual(['REQUEST_OPEN', 'PARTS_EXIST']);
    expect(refusalsOf(factsOf(laterPart, [], given), 'confirm')).toEqual([]);
  });
});

describe('the entries that come with a reversal', () => {
  const decisionOf = (facts: ReversalFacts) => decideReversal(facts, 'confirm').decision;

  it('reverse what the payout earned and cost', () => {
    const decision = decisionOf(factsOf(paidOut, [feeEarned, lateCharge]));
    expect(decision).toMatchObject({ correction: { post: [], reverse: [feeEarned, lateCharge] }, charged: [] });
    expect(decision?.standing).toEqual([]);
  });

  it('are late days that the receipt had prevented', () => {
    const terms = { ...nothingElse.derivation.terms, lateChargeBps: 50, dueOn: '2026-12-04' };
    const derivation = { ...nothingElse.derivation, terms };
    const late = { kind: 'lateCharge', date: '2026-12-05', amount: 5 };
    const decision = decisionOf(factsOf(receipt, [paidOut, laterPart], { derivation }));
    expect(decision).toMatchObject({ correction: { post: [late], reverse: [] }, standing: [paidOut, laterPart, late] });
  });

  it('are none for a deduction', () => {
    const decision = decisionOf(factsOf(deduction, [paidOut, lateCharge]));
    expect(decision).toMatchObject({ correction: { post: [], reverse: [] }, charged: [] });
  });

  describe('for an extension', () => {
    // Accepted when 100 of 900 was outstanding: 7 % for 15 days.
    const accepted = [
      { acceptedOn: '2026-12-04', acceptedAt: new Date('2026-12-04T08:00:00Z'), tenorDays: 15, fee: 7 },
    ];
    const most = { ...receipt, amount: 800 } as const;
    const cheap = { ...extension, amount: 7 } as const;
    const fee = { kind: 'extension', amount: 56, date: '2026-12-05' };
    const chargedFor = (besides: readonly Entry[], given: Partial<ReversalFacts> = {}) =>
      decisionOf(factsOf(most, [paidOut, laterPart, cheap, ...besides], { accepted, ...given }))?.charged;

    it('charge what it cost too little because of the receipt', () => {
      expect(chargedFor([])).toEqual([fee]);
    });

    it('count as earned on and after the due date', () => {
      const dueOn = (day: string) => {
        const terms = { ...nothingElse.derivation.terms, dueOn: day };
        return { derivation: { ...nothingElse.derivation, terms } };
      };
      expect(chargedFor([], dueOn('2026-12-06'))).toEqual([fee]);
      expect(chargedFor([], dueOn('2026-12-05'))).toEqual([fee, { ...fee, kind: 'feeEarned' }]);
    });

    it('do not count a later receipt that the same officer recorded', () => {
      const again = { ...most, recordedAt: new Date('2026-12-05T08:00:00Z') };
      expect(chargedFor([again])).toEqual([]);
      expect(chargedFor([{ ...again, recordedBy: ME }])).toEqual([fee]);
      expect(chargedFor([{ ...most, recordedBy: ME }])).toEqual([]);
    });

    it('are none for a surplus', () => {
      expect(decisionOf(factsOf(surplus, [paidOut, laterPart, cheap], { accepted }))?.charged).toEqual([]);
    });
  });
});
