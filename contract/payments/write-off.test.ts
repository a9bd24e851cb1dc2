import { describe, expect, it } from 'vitest';
import { decideWriteOff, refusalsToProposeWriteOff } from './write-off.ts';

const paidOut = { kind: 'disbursement', amount: 801, date: '2026-12-01' } as const;
const receipt = { kind: 'receipt', amount: 900, date: '2026-12-02' } as const;
const account = { invoice: { status: 'Disbursed' }, application: { advance: 900 }, standing: [paidOut] } as const;
const reason = 'The buyer is bankrupt';

describe('a write-off', () => {
  it.each([
    ['of the whole debt', account, 900, []],
    ['of less than the debt', account, 899, ['WRITE_OFF_CHANGED']],
    ['of more than the debt', account, 901, ['WRITE_OFF_CHANGED']],
    ['of nothing', { ...account, standing: [paidOut, receipt] }, 0, ['STEP_NOT_ALLOWED']],
    [
      'after the settlement',
      { ...account, invoice: { status: 'Settled' }, standing: [paidOut, receipt] },
      900,
      ['STEP_NOT_ALLOWED', 'WRITE_OFF_CHANGED'],
    ],
    [
      'before the payout',
      { ...account, invoice: { status: 'Approved' }, standing: [] },
      900,
      ['STEP_NOT_ALLOWED', 'WRITE_OFF_CHANGED'],
    ],
  ] as const)('%s', (_, given, amount, expected) => {
    const proposed = refusalsToProposeWriteOff({ account: given, open: undefined }, amount);
    const confirmed = decideWriteOff({ account: given, today: '2026-12-05' }, { amount, reason }).refusals;
    expect(proposed.map(({ code }) => code)).toEqual(expected);
    expect(confirmed).toEqual(proposed);
  });

  it('is not proposed beside another proposal', () => {
    const refusals = refusalsToProposeWriteOff({ account: { ...account, standing: [paidOut, receipt] }, open: {} }, 1);
    expect(refusals.map(({ code }) => code)).toEqual(['STEP_NOT_ALLOWED', 'PROPOSAL_OPEN', 'WRITE_OFF_CHANGED']);
  });

  it('is posted today, with what is too small to pay to the client', () => {
    const sentLess = { ...paidOut, carried: -3 };
    const facts = { account: { ...account, standing: [sentLess] }, today: '2026-12-05' };
    const { decision } = decideWriteOff(facts, { amount: 900, reason });
    expect(decision).toMatchObject({ kind: 'writeOff', amount: 900, date: '2026-12-05', reason, rounded: 3 });
  });
});
