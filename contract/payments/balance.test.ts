import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Status, type StepName, statusAfter, stepAllowed, stepNames } from '#contract/applications/lifecycle.ts';
import { restOf } from '#contract/journal/position.ts';
import {
  type Balance,
  balanceOf,
  dueOn,
  type EntryKind,
  entryKinds,
  refusalOfEntry,
  refusalOfReversal,
  type StandingEntry,
  settledOn,
  stepOfEntry,
  stepOfReversal,
} from './balance.ts';

/** A ledger as people keep it: entries and reversals, in the order of recording. */
interface Kept extends StandingEntry {
  readonly kind: EntryKind;
  readonly id: number;
  readonly reverses: number | null;
}

function standingOf(ledger: readonly Kept[]): Kept[] {
  const taken = new Set(ledger.map(({ reverses }) => reverses));
  return ledger.filter(({ id, reverses }) => reverses === null && !taken.has(id));
}

/** An attempted entry or reversal; `pick` chooses the entry to reverse, `size` relates an amount to its limit. */
interface Attempt {
  readonly kind: EntryKind | 'reversal';
  readonly size: 'below' | 'exact' | 'above' | 'any';
  readonly share: number;
  readonly pick: number;
  readonly day: number;
}

const attempt: fc.Arbitrary<Attempt> = fc.record({
  kind: fc.constantFrom<Attempt['kind']>(...entryKinds, 'receipt', 'receipt', 'reversal', 'reversal'),
  size: fc.constantFrom<Attempt['size']>('below', 'exact', 'above', 'any'),
  share: fc.integer({ min: 1, max: 1_000_000 }),
  pick: fc.nat(),
  day: fc.integer({ min: 1, max: 28 }),
});

const terms = fc
  .record({ advance: fc.integer({ min: 2, max: 500_000_000 }), fee: fc.integer({ min: 0, max: 11 }) })
  .map(({ advance, fee }) => ({ advance, netProceeds: advance - Math.floor((advance * fee) / 100) }));

/** An approved application, and the ledger that the rules let people record on it. */
class Application {
  readonly advance: number;
  readonly netProceeds: number;
  readonly ledger: Kept[] = [];
  readonly taken = new Set<StepName>();
  status: Status = 'Approved';

  constructor({ advance, netProceeds }: { advance: number; netProceeds: number }) {
    this.advance = advance;
    this.netProceeds = netProceeds;
  }

  get balance(): Balance {
    return balanceOf(this.advance, this.ledger);
  }

  /** Tries an entry or reversal; returns whether the rules accepted it. */
  attempt(tried: Attempt): boolean {
    return tried.kind === 'reversal' ? this.#reverse(tried) : this.#record(tried.kind, tried);
  }

  #record(kind: EntryKind, { size, share, day }: Attempt): boolean {
    // A provider may send the amount due in parts.
    const due = this.status === 'Approved' ? this.netProceeds : restOf(this, standingOf(this.ledger));
    const isPart = kind === 'disbursement' && size === 'below' && due > 1;
    const bound = {
      disbursement: due,
      receipt: this.balance.outstanding,
      surplus: this.balance.owedToClient,
    };
    const amount = Math.max(
      1,
      { below: bound[kind] - share, exact: bound[kind], above: bound[kind] + share, any: share }[size],
    );
    const date = `2026-12-${String(day).padStart(2, '0')}`;
    const entry = { id: this.ledger.length, kind, amount, date, reverses: null };
    const step = stepOfEntry(kind, this.status, balanceOf(this.advance, [...this.ledger, entry]));
    if (!stepAllowed(step, this.status)) return false;
    if (refusalOfEntry(entry, this.balance, isPart ? Math.min(due, amount) : due) !== undefined) return false;
    this.#keep(entry, step);
    return true;
  }

  #reverse({ pick }: Attempt): boolean {
    const standing = standingOf(this.ledger);
    const entry = standing[pick % Math.max(1, standing.length)];
    if (entry === undefined) return false;
    const counter = { ...entry, id: this.ledger.length, amount: -entry.amount, reverses: entry.id };
    const after = balanceOf(this.advance, [...this.ledger, counter]);
    const rest = standing.filter((one) => one !== entry);
    const isPart = entry.kind === 'disbursement' && standing.find(({ kind }) => kind === entry.kind) !== entry;
    if (!isPart && refusalOfReversal(entry.kind, after, rest) !== undefined) return false;
    const step = stepOfReversal(entry.kind, this.status, after);
    expect(stepAllowed(step, this.status), `${step} from ${this.status}`).toBe(true);
    this.#keep(counter, step);
    return true;
  }

  #keep(entry: Kept, step: StepName): void {
    this.ledger.push(entry);
    this.taken.add(step);
    this.status = statusAfter(step, this.status);
  }
}

function statusBySums({ disbursed, outstanding }: Balance): Status {
  if (disbursed === 0) return 'Approved';
  return outstanding > 0 ? 'Disbursed' : 'Settled';
}

/** Asserts properties that hold for every ledger that the rules allow. */
function expectSound({ advance, netProceeds, ledger, balance, status }: Application): void {
  expect(status).toBe(statusBySums(balance));
  expect(balance.disbursed + restOf({ netProceeds }, standingOf(ledger))).toBe(status === 'Approved' ? 0 : netProceeds);
  expect(restOf({ netProceeds }, standingOf(ledger))).toBeGreaterThanOrEqual(0);
  expect(balance.outstanding).toBeGreaterThanOrEqual(0);
  expect(balance.outstanding).toBeLessThanOrEqual(advance);
  expect(balance.surplusOwed).toBeGreaterThanOrEqual(0);
  expect(balance.surplusPaid).toBeGreaterThanOrEqual(0);
  expect(balance.surplusOwed + balance.surplusPaid).toBe(Math.max(0, balance.received - advance));
  if (balance.disbursed > 0) expect(balance.outstanding).toBe(advance - Math.min(advance, balance.received));
  else expect(Object.values(balance).filter((sum) => sum !== 0)).toEqual([]);
  const standing = standingOf(ledger);
  expect(balanceOf(advance, standing)).toEqual(balance);
  expect(settledOn(advance, standing) !== null).toBe(status === 'Settled');
  expect(dueOn(7, standing, new Set()) !== null).toBe(status !== 'Approved');
}

describe('a ledger', () => {
  it('never breaks its sums, and its status follows from them', () => {
    const taken = new Set<StepName>();
    const property = fc.property(terms, fc.array(attempt, { maxLength: 40, size: 'max' }), (given, attempts) => {
      const application = new Application({ ...given });
      for (const tried of attempts) {
        const before = [application.balance, application.status, application.ledger.length];
        const accepted = application.attempt(tried);
        if (!accepted) expect([application.balance, application.status, application.ledger.length]).toEqual(before);
        expectSound(application);
      }
      for (const step of application.taken) taken.add(step);
    });
    fc.assert(property, { numRuns: 500 });
    const ofMoney = stepNames.slice(stepNames.indexOf('disburse'));
    expect([...taken].sort()).toEqual(ofMoney.toSorted());
  });

  it('is unchanged when an entry is reversed at once', () => {
    const property = fc.property(terms, fc.array(attempt, { maxLength: 20 }), attempt, (given, attempts, last) => {
      const application = new Application(given);
      for (const tried of attempts) application.attempt(tried);
      const before = [application.balance, application.status, standingOf(application.ledger)];
      fc.pre(last.kind !== 'reversal' && application.attempt(last));
      const newest = standingOf(application.ledger).length - 1;
      expect(application.attempt({ ...last, kind: 'reversal', pick: newest })).toBe(true);
      expect([application.balance, application.status, standingOf(application.ledger)]).toEqual(before);
    });
    fc.assert(property, { numRuns: 1500 });
  });
});

describe('a settlement', () => {
  const receipt = (amount: number, date: string) => ({ kind: 'receipt', amount, date }) as const;
  const settled = (...receipts: StandingEntry[]) =>
    settledOn(900, [{ kind: 'disbursement', amount: 801, date: '2026-12-01' }, ...receipts]);

  it('is on the day on which the advance was paid back, whatever was recorded first', () => {
    expect(settled(receipt(899, '2026-12-01'))).toBeNull();
    expect(settled(receipt(899, '2026-12-01'), receipt(1, '2026-12-03'))).toBe('2026-12-03');
    expect(settled(receipt(500, '2026-12-05'), receipt(400, '2026-12-02'))).toBe('2026-12-05');
    expect(settled(receipt(900, '2026-12-05'), receipt(900, '2026-12-02'))).toBe('2026-12-02');
  });

  it('is due the tenor after the day on which it was paid out', () => {
    expect(dueOn(30, [], new Set())).toBeNull();
    expect(dueOn(30, [receipt(1, '2026-12-01')], new Set())).toBeNull();
    expect(dueOn(30, [{ kind: 'disbursement', amount: 801, date: '2027-01-31' }], new Set())).toBe('2027-03-02');
  });
});

describe('the rules for recording and reversing', () => {
  const before = balanceOf(900, [
    { kind: 'disbursement', amount: 801 },
    { kind: 'receipt', amount: 1_000 },
  ]);

  it.each([
    ['disbursement', 801, undefined],
    ['disbursement', 800, 'NOT_NET_PROCEEDS'],
    ['receipt', 800, undefined],
    ['surplus', 100, undefined],
    ['surplus', 101, 'SURPLUS_TOO_LARGE'],
  ] as const)('answer a %s of %i with %s', (kind, amount, refusal) => {
    expect(refusalOfEntry({ kind, amount }, before, 801)).toBe(refusal);
  });

  it.each([
    ['disbursement', 0, ['receipt'], 'RECEIPTS_EXIST'],
    ['disbursement', 0, ['deduction'], 'RECEIPTS_EXIST'],
    ['disbursement', 0, ['receipt', 'writeOff'], 'WRITTEN_OFF'],
    ['disbursement', 0, [], undefined],
    ['receipt', -1, ['disbursement'], 'SURPLUS_EXISTS'],
    ['receipt', 0, ['disbursement'], undefined],
    ['surplus', -1, ['disbursement', 'receipt'], undefined],
  ] as const)(
    'answer the reversal of a %s that leaves a surplus of %i beside %j with %s',
    (kind, surplusOwed, rest, refusal) => {
      const standing = rest.map((one) => ({ kind: one }));
      expect(refusalOfReversal(kind, { surplusOwed }, standing)).toBe(refusal);
    },
  );
});
