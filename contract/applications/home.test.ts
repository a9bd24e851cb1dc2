import { describe, expect, it } from 'vitest';
import type { Matter } from './attention.ts';
import { balancesOf, divideMatters, type OwedOnDay } from './home.ts';

const TODAY = '2026-11-27';
const ugx = { currency: 'UGX', limit: 50_000_000, available: 50_000_000 };
const usd = { currency: 'USD', limit: 10_000, available: 10_000 };
const owed = (dueOn: string, amount: number, more: Partial<OwedOnDay> = {}): OwedOnDay => ({
  currency: 'UGX',
  dueOn,
  amount,
  advances: 1,
  tag: `due ${dueOn}`,
  ...more,
});

describe('balancesOf', () => {
  const due = (...days: readonly OwedOnDay[]) => balancesOf([ugx], days, TODAY)[0];

  it.each<[string, readonly OwedOnDay[], object]>([
    [
      'all that is late, by the oldest, without what is due today',
      [owed('2026-11-20', 100), owed('2026-11-26', 250, { advances: 2 }), owed(TODAY, 400)],
      { owed: 7.5, due: { amount: 3.5, dueOn: '2026-11-20', daysLate: 7, advances: 3, tag: 'due 2026-11-20' } },
    ],
    [
      'what is due today',
      [owed(TODAY, 400), owed('2026-11-28', 100)],
      { owed: 5, due: { amount: 4, dueOn: TODAY, daysLate: 0, advances: 1, tag: `due ${TODAY}` } },
    ],
    [
      'what is due on the next day that something is due',
      [owed('2026-11-28', 100), owed('2026-12-28', 400)],
      { owed: 5, due: { amount: 1, dueOn: '2026-11-28', daysLate: -1 } },
    ],
    ['nothing', [], { owed: 0, due: null }],
  ])('asks to pay first: %s', (_, days, expected) => {
    expect(due(...days)).toMatchObject(expected);
  });

  it('keeps currencies apart, the one with the earliest due date first', () => {
    const both = [owed('2026-11-20', 100, { currency: 'USD' }), owed('2026-11-26', 900)];
    expect(balancesOf([ugx, usd], both, TODAY)).toMatchObject([
      { currency: 'USD', owed: 1 },
      { currency: 'UGX', owed: 9 },
    ]);
  });

  it('shows a currency in which only the limit is used, after those with a debt', () => {
    const used = { ...ugx, available: 1 };
    expect(balancesOf([used, usd], [], TODAY).map(({ currency }) => currency)).toEqual(['UGX']);
    const dollars = [owed('2026-12-20', 100, { currency: 'USD' })];
    expect(balancesOf([used, usd], dollars, TODAY).map(({ currency }) => currency)).toEqual(['USD', 'UGX']);
  });

  it('shows the first limit where nothing is used, and nothing without a limit', () => {
    expect(balancesOf([{ ...ugx, limit: 0, available: 0 }, usd], [], TODAY)).toMatchObject([{ currency: 'USD' }]);
    expect(balancesOf([{ ...ugx, limit: 0, available: 0 }], [], TODAY)).toEqual([]);
  });

  it('shows a debt in a currency without a limit', () => {
    expect(balancesOf([{ ...ugx, limit: 0, available: 0 }], [owed(TODAY, 100)], TODAY)).toMatchObject([{ owed: 1 }]);
  });
});

describe('divideMatters', () => {
  const about = { tag: 't', invoiceNumber: 'INV-1', currency: 'UGX', amount: 1 };
  const overdue = { kind: 'overdue', ...about, daysLate: 1 } as const;
  const offered = { kind: 'offered', ...about } as const;
  const outlook = { step: 'prepare', reason: null, from: null, account: null } as const;
  const approved = { kind: 'approved', ...about, outlook, needsAccount: false } as const;
  const homeless = { ...approved, needsAccount: true } as const;
  const surplus = { ...approved, kind: 'surplus' } as const;
  const draft = { kind: 'draft', ...about } as const;
  const divided = (matters: readonly Matter[], needsPayoutAccount = false) => {
    const { toDo, onItsWay } = divideMatters({ matters: [...matters], needsPayoutAccount });
    return [toDo.map(({ kind }) => kind), onItsWay.map(({ kind }) => kind)];
  };

  it('keeps the order, and separates what brings the client money', () => {
    expect(divided([overdue, offered, approved, surplus, draft])).toEqual([
      ['overdue', 'offered', 'draft'],
      ['approved', 'surplus'],
    ]);
  });

  it('asks for the first account before a draft', () => {
    expect(divided([offered, draft], true)).toEqual([['offered', 'payoutAccount', 'draft'], []]);
    expect(divided([], true)).toEqual([['payoutAccount'], []]);
  });

  it('asks once: for the account of an approved application', () => {
    expect(divided([offered, homeless, draft], true)).toEqual([['offered', 'approved', 'draft'], []]);
  });
});
