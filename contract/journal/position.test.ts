import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountCode } from './accounts.ts';
import {
  linesBetween,
  type Position,
  type PositionTerms,
  type Posted,
  positionOf,
  restOf,
  sumsOf,
} from './position.ts';

const amount = fc.integer({ min: 1, max: 50_000_000 });
const method = fc.constantFrom('mtn', 'airtel', 'mobileMoney', 'bank');
const fraction = fc.integer({ min: -99, max: 99 });

const terms: fc.Arbitrary<PositionTerms> = fc
  .record({
    faceValue: fc.integer({ min: 20_000, max: 100_000_000 }),
    share: fc.integer({ min: 1, max: 90 }),
    fee: fc.integer({ min: 0, max: 11 }),
  })
  .map(({ faceValue, share, fee }) => {
    const advance = Math.max(1, Math.floor((faceValue * share) / 100));
    return { faceValue, advance, netProceeds: advance - Math.floor((advance * fee) / 100) };
  });

const later: fc.Arbitrary<Posted> = fc.oneof(
  fc.record({
    kind: fc.constant('receipt'),
    amount,
    method,
    payer: fc.constantFrom('buyer', 'client'),
    rounded: fraction,
    isFromSuspense: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('surplus'), amount, method, carried: fraction, rounded: fraction }),
  fc.record({
    kind: fc.constantFrom('deduction', 'feeEarned', 'extension', 'lateCharge', 'rounding'),
    amount,
  }),
);

/** Further parts of a payout, each taken from the rest; some of the rest may stay unsent. */
function partsBelow(left: number, shares: readonly number[]): number[] {
  const [share, ...rest] = shares;
  if (share === undefined || left <= 0) return [];
  const part = Math.max(1, Math.floor((left * share) / 100));
  return [part, ...partsBelow(left - part, rest)];
}

/** The entries in force on a paid-out application. A write-off is always the amount outstanding at that time. */
const history = fc
  .record({
    terms,
    carried: fraction,
    method,
    before: fc.array(later),
    writesOff: fc.boolean(),
    parts: fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 3 }),
    after: fc.array(later),
  })
  .map(({ terms: given, carried, method: by, before, writesOff, parts, after: then }) => {
    const whole = given.netProceeds + carried;
    const sent = parts.length === 0 ? whole : Math.max(1, Math.floor(whole / 2));
    const paid: Posted = { kind: 'disbursement', amount: sent, method: by, carried };
    const first = [paid, ...before];
    const after = [...then, ...partsBelow(whole - sent, parts).map((part) => ({ ...paid, amount: part, carried: 0 }))];
    const { owed, applied } = sumsOf(given, first);
    const lost: Posted[] = writesOff && owed > applied ? [{ kind: 'writeOff', amount: owed - applied }] : [];
    return { terms: given, standing: [...first, ...lost, ...after] };
  });

function balance(position: Position, ...of: AccountCode[]): number {
  return of.reduce((sum, account) => sum + (position[account] ?? 0), 0);
}

const total = (position: Position) => Object.values(position).reduce((sum, one) => sum + one, 0);

describe('the position of an application', () => {
  it('is nothing before the payout', () => {
    const nothing = positionOf({ faceValue: 1000, advance: 900, netProceeds: 801 }, []);
    expect(Object.values(nothing).filter((one) => one !== 0)).toEqual([]);
  });

  it('balances, and cash and what is open explain what was lent and earned', () => {
    const property = fc.property(history, ({ terms: given, standing }) => {
      const position = positionOf(given, standing);
      const sums = sumsOf(given, standing);
      expect(total(position)).toBe(0);
      expect(balance(position, 'buyersOwe', 'financedInvoices')).toBe(0);
      expect(balance(position, 'advances')).toBeGreaterThanOrEqual(0);
      expect(sums.applied + sums.recovered + sums.surplus).toBe(sums.received + sums.roundedOff);
      expect(sums.owed).toBe(balance(position, 'advances') + sums.applied + sums.writtenOff);
      const cash = balance(position, 'cashMtn', 'cashAirtel', 'cashMobileMoney', 'cashBank', 'suspense');
      const paidToClient = standing.reduce(
        (sum, one) => sum + (one.kind === 'disbursement' || one.kind === 'surplus' ? one.amount : 0),
        0,
      );
      expect(cash).toBe(sums.received - paidToClient);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it('explains the face value by what the buyer paid, what they deducted and what they still owe', () => {
    const property = fc.property(history, ({ terms: given, standing }) => {
      const paid = standing.reduce((sum, one) => {
        if (one.kind === 'deduction') return sum + one.amount;
        return sum + (one.kind === 'receipt' && one.payer === 'buyer' ? one.amount : 0);
      }, 0);
      expect(positionOf(given, standing).buyersOwe).toBe(Math.max(0, given.faceValue - paid));
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it('lowers what the client owes by cash alone, never by a deduction', () => {
    const property = fc.property(history, amount, ({ terms: given, standing }, deducted) => {
      const after = positionOf(given, [...standing, { kind: 'deduction', amount: deducted }]);
      expect(after.advances).toBe(positionOf(given, standing).advances);
    });
    fc.assert(property, { numRuns: 500 });
  });
});

describe('the lines of an entry', () => {
  it('sum to 0, and those of its reversal restore every balance', () => {
    const property = fc.property(history, later, ({ terms: given, standing }, entry) => {
      const before = positionOf(given, standing);
      const after = positionOf(given, [...standing, entry]);
      const there = linesBetween(before, after);
      const back = linesBetween(after, before);
      expect(there.reduce((sum, line) => sum + line.amount, 0)).toBe(0);
      expect(back).toEqual(there.map((line) => ({ ...line, amount: -line.amount })));
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it('owe the client the rest of a payout in parts until the last part is sent', () => {
    const price = { faceValue: 1000, advance: 900, netProceeds: 801 };
    const first: Posted = { kind: 'disbursement', amount: 500, method: 'mtn', carried: -1 };
    const second: Posted = { kind: 'disbursement', amount: 300, method: 'mtn' };
    expect(restOf(price, [first])).toBe(300);
    expect(positionOf(price, [first])).toMatchObject({ cashMtn: -500, clientPayable: -300, clientFractions: -1 });
    expect(linesBetween(positionOf(price, [first]), positionOf(price, [first, second]))).toEqual([
      { account: 'cashMtn', amount: -300 },
      { account: 'clientPayable', amount: 300 },
    ]);
    expect(restOf(price, [first, second])).toBe(0);
  });

  it('leave to the client what a payout in whole shillings cannot carry', () => {
    const price = { faceValue: 100_000_000, advance: 90_000_055, netProceeds: 80_100_049 };
    const payout: Posted = { kind: 'disbursement', amount: 80_100_000, method: 'mtn', carried: -49 };
    expect(linesBetween({}, positionOf(price, [payout]))).toEqual([
      { account: 'cashMtn', amount: -80_100_000 },
      { account: 'advances', amount: 90_000_055 },
      { account: 'feesNotEarned', amount: -9_900_006 },
      { account: 'clientFractions', amount: -49 },
      { account: 'buyersOwe', amount: 100_000_000 },
      { account: 'financedInvoices', amount: -100_000_000 },
    ]);
  });

  it('make a receipt after a write-off a recovery, and give the client what is above it', () => {
    const price = { faceValue: 1000, advance: 900, netProceeds: 801 };
    const payout: Posted = { kind: 'disbursement', amount: 801, method: 'bank', carried: 0 };
    const written: Posted = { kind: 'writeOff', amount: 900 };
    const receipt: Posted = { kind: 'receipt', amount: 950, method: 'bank', payer: 'client', rounded: 0 };
    const lost = [payout, written];
    expect(linesBetween(positionOf(price, lost), positionOf(price, [...lost, receipt]))).toEqual([
      { account: 'cashBank', amount: 950 },
      { account: 'clientPayable', amount: -50 },
      { account: 'recoveries', amount: -900 },
    ]);
  });

  it('write off the unearned fee first, and count the rest as a loss', () => {
    const price = { faceValue: 1000, advance: 900, netProceeds: 801 };
    const out: Posted[] = [
      { kind: 'disbursement', amount: 801, method: 'bank', carried: 0 },
      { kind: 'feeEarned', amount: 33 },
    ];
    const lines = (before: Posted[], amount: number) =>
      linesBetween(positionOf(price, before), positionOf(price, [...before, { kind: 'writeOff', amount }]));
    expect(lines(out, 900)).toEqual([
      { account: 'advances', amount: -900 },
      { account: 'feesNotEarned', amount: 66 },
      { account: 'writeOffs', amount: 834 },
    ]);
    const nearlyPaid: Posted[] = [...out, { kind: 'receipt', amount: 890, method: 'bank', payer: 'buyer' }];
    expect(lines(nearlyPaid, 10)).toEqual([
      { account: 'advances', amount: -10 },
      { account: 'feesNotEarned', amount: 10 },
    ]);
  });
});
