import { describe, expect, it } from 'vitest';
import type { ShownRefusals } from '#contract/refusals/schema.ts';
import { type LedgerFacts, refusalsToConfirm, refusalsToWriteOff, reversalOf } from './ledger-acts.ts';

const ME = 1;
const OTHER = 2;
const now = new Date('2026-12-05T09:00:00Z');
const recorded = { recordedAt: new Date('2026-12-02T08:00:00Z'), recordedBy: OTHER } as const;
const paidOut = { ...recorded, tag: 'out', kind: 'disbursement', amount: 801, date: '2026-12-01' } as const;
const receipt = { ...recorded, tag: 'in', kind: 'receipt', amount: 100, date: '2026-12-03' } as const;
const fee = { ...recorded, tag: 'fee', kind: 'feeEarned', amount: 10, date: '2026-12-03' } as const;

const facts: LedgerFacts = {
  account: {
    invoice: { status: 'Disbursed' },
    application: { advance: 900 },
    standing: [paidOut, receipt, fee],
  },
  shownPaid: new Set(),
  open: undefined,
  isProposerOfficer: true,
  now,
  newUntil: undefined,
  me: ME,
  derivation: {
    terms: { advance: 900, lateChargeBps: 0, dueOn: '2026-12-31', unit: 1 },
    history: { pauses: [], closings: [], charged: [] },
    today: '2026-12-05',
  },
  accepted: [],
  underWay: undefined,
  isRequestOpen: false,
};
const unpaid: LedgerFacts = { ...facts, account: { ...facts.account, standing: [paidOut] } };
const asNew = { newUntil: new Date('2026-12-12T09:00:00Z') };
const proposed = {
  tag: 'p',
  kind: 'reversal',
  amount: 801,
  reason: 'Came back',
  proposedBy: OTHER,
  entryTag: 'out',
} as const;
const written = { ...proposed, kind: 'writeOff', amount: 900, entryTag: null } as const;

const codesOf = (refusals: ShownRefusals | null | undefined) => refusals?.map(({ code }) => code);

describe('an entry of the ledger', () => {
  it('is reversed alone if it came in, and proposed to be reversed if it went out', () => {
    expect(reversalOf(facts, 'in')).toEqual({ act: 'reverse', refusals: [] });
    expect(reversalOf(unpaid, 'out')).toEqual({ act: 'propose', refusals: [] });
  });

  it('is not reversed if it was derived, or is not in force', () => {
    expect(reversalOf(facts, 'fee')).toBeNull();
    expect(reversalOf(facts, 'gone')).toBeNull();
  });

  it('says why the officer cannot reverse it, in the order of the act', () => {
    const shown = { ...facts, shownPaid: new Set(['out']), open: proposed, ...asNew };
    expect(codesOf(reversalOf(shown, 'out')?.refusals)).toEqual([
      'NEW_OFFICER',
      'SHOWN_PAID',
      'RECEIPTS_EXIST',
      'PROPOSAL_OPEN',
    ]);
    expect(reversalOf(shown, 'in')?.refusals).toEqual([
      {
        code: 'NEW_OFFICER',
        text: expect.stringMatching(/^You are a new officer\. Ask another officer to do this\. You can do this from /),
      },
    ]);
  });
});

describe('a write-off', () => {
  it('is only offered while something is owed', () => {
    expect(refusalsToWriteOff(unpaid)).toEqual([]);
    const paidBack = { ...paidOut, tag: 'back', kind: 'receipt', amount: 900 } as const;
    expect(refusalsToWriteOff({ ...facts, account: { ...facts.account, standing: [paidOut, paidBack] } })).toBeNull();
    expect(refusalsToWriteOff({ ...facts, account: { ...facts.account, invoice: { status: 'Settled' } } })).toBeNull();
  });

  it('is refused to a new officer, and beside another proposal', () => {
    expect(codesOf(refusalsToWriteOff({ ...unpaid, ...asNew, open: written }))).toEqual([
      'NEW_OFFICER',
      'PROPOSAL_OPEN',
    ]);
  });
});

describe('a proposal', () => {
  it.each<[string, LedgerFacts, Parameters<typeof refusalsToConfirm>[1], readonly string[]]>([
    ['to reverse a payout', unpaid, proposed, []],
    ['to reverse a payout that was paid back since', facts, proposed, ['RECEIPTS_EXIST']],
    ['to reverse what was reversed since', unpaid, { ...proposed, entryTag: 'gone' }, ['ALREADY_REVERSED']],
    ['to reverse what a statement shows', { ...unpaid, shownPaid: new Set(['out']) }, proposed, ['SHOWN_PAID']],
    ['to write off the debt', unpaid, written, []],
    ['to write off a debt that is smaller now', facts, written, ['WRITE_OFF_CHANGED']],
    ['to record a repayment', unpaid, { ...written, kind: 'receipt' }, []],
    ['of one’s own', unpaid, { ...written, proposedBy: ME }, ['OWN_PROPOSAL']],
    ['of a former officer', { ...unpaid, isProposerOfficer: false }, written, ['PROPOSAL_VOID']],
    [
      'shown to a new officer',
      { ...unpaid, ...asNew },
      { ...written, proposedBy: ME },
      ['NEW_OFFICER', 'OWN_PROPOSAL'],
    ],
  ])('%s', (_, given, open, expected) => {
    expect(codesOf(refusalsToConfirm({ ...given, open }, open))).toEqual(expected);
  });
});
