import fc from 'fast-check';
import { expect, it } from 'vitest';
import { balanceOf, type StandingEntry } from '#contract/payments/balance.ts';
import { overdueOf } from '#contract/payments/overdue.ts';
import { addDays, daysBetween } from '#contract/time/calendar.ts';
import { correctionOf, type Upcoming } from './derived.ts';
import type { ChargedDay, Closing, Pause } from './late-charge.ts';
import { ADVANCE, BPS, type Command, command, type Expected, FIRST_DUE, Oracle } from './oracle.harness.ts';

/** Random histories with every kind of reversal, compared with an oracle after each command. */

const PAYOUT = '2026-11-20';
const day = (count: number): string => addDays(PAYOUT, count);

/** An application over the contract's functions, as the server uses them. */
class Application {
  standing: readonly StandingEntry[] = [{ kind: 'disbursement', amount: 29_666_700, date: PAYOUT }];
  #today = 0;
  #due = FIRST_DUE;
  #extensions = 0;
  readonly #receipts: StandingEntry[] = [];
  #pauses: Pause[] = [];
  readonly #closings: Closing[] = [];
  readonly #charged: ChargedDay[] = [];
  #moment = 0;
  readonly #isPlanted: boolean;

  constructor(isPlanted: boolean) {
    this.#isPlanted = isPlanted;
  }

  take(given: Command): void {
    this.#moment += 1;
    switch (given.do) {
      case 'receive': {
        const date = day(Math.max(0, this.#today - given.daysAgo));
        const receipt: StandingEntry = { kind: 'receipt', amount: given.amount, date };
        this.#correct({ adds: [receipt] });
        this.standing = [...this.standing, receipt];
        this.#receipts.push(receipt);
        return;
      }
      case 'reverse': {
        const one = this.#receipts[given.pick % Math.max(1, this.#receipts.length)];
        if (one === undefined || !this.standing.includes(one)) return;
        // This fault was found in the first releases.
        if (!this.#isPlanted) this.#correct({ without: one });
        this.standing = this.standing.filter((entry) => entry !== one);
        return;
      }
      case 'wait':
        this.#today += given.days;
        if (given.isSwept && this.#outstanding > 0) this.#correct({});
        return;
      case 'dispute':
        if (this.#pauses.every(({ until }) => until !== null))
          this.#pauses.push({ from: day(this.#today), until: null });
        return;
      case 'endDispute':
        this.#pauses = this.#pauses.map((one) => ({ ...one, until: one.until ?? day(this.#today) }));
        return;
      case 'extend':
        if (this.#outstanding === 0 || this.#extensions > 1 || this.standing.some(({ kind }) => kind === 'writeOff'))
          return;
        this.#extensions += 1;
        this.#close('extension', given.fee);
        this.#due = Math.max(this.#due, this.#today) + 7;
        return;
      case 'deduct':
        this.standing = [...this.standing, { kind: 'deduction', amount: given.amount, date: day(this.#today) }];
        return;
      case 'writeOff':
        if (this.#outstanding > 0) this.#close('writeOff', this.#outstanding);
    }
  }

  get #outstanding(): number {
    return balanceOf(ADVANCE, this.standing).outstanding;
  }

  #close(kind: 'extension' | 'writeOff', amount: number): void {
    this.#closings.push({ on: day(this.#today), at: new Date(this.#moment) });
    this.standing = [...this.standing, { kind, amount, date: day(this.#today) }];
  }

  #correct(upcoming: Upcoming<StandingEntry>): void {
    const charged = [...Map.groupBy(this.#charged, ({ date }) => date).values()].flatMap(([first]) => first ?? []);
    const terms = { advance: ADVANCE, lateChargeBps: BPS, dueOn: day(this.#due), unit: 100 };
    const history = { pauses: this.#pauses, closings: this.#closings, charged };
    const correction = correctionOf({ terms, history, today: day(this.#today) }, this.standing, upcoming);
    const at = new Date(this.#moment);
    this.#charged.push(
      ...correction.post.filter(({ kind }) => kind === 'lateCharge').map(({ date }) => ({ date, at })),
    );
    this.standing = correction.standing;
  }

  get now(): Expected {
    const { outstanding, lost, surplusOwed } = balanceOf(ADVANCE, this.standing);
    const charges = this.standing.filter(({ kind }) => kind === 'lateCharge');
    const deductions = this.standing.filter(({ kind }) => kind === 'deduction');
    const status = outstanding > 0 || lost > 0 ? 'Disbursed' : 'Settled';
    return {
      deducted: deductions.reduce((sum, { amount }) => sum + amount, 0),
      overdueDays: overdueOf({ status, dueOn: day(this.#due), outstanding }, day(this.#today))?.days ?? 0,
      used: outstanding,
      charges: Object.fromEntries(charges.map(({ date, amount }) => [daysBetween(PAYOUT, date), amount])),
      outstanding,
      lost,
      surplus: surplusOwed,
    };
  }
}

const historyOf = (isPlanted: boolean) =>
  fc.property(fc.array(command, { minLength: 4, maxLength: 30 }), (commands) => {
    const [application, oracle] = [new Application(isPlanted), new Oracle({ due: FIRST_DUE, isServer: false })];
    for (const one of [{ do: 'wait', days: 28, isSwept: true } as const, ...commands]) {
      application.take(one);
      oracle.take(one);
      expect(application.now).toEqual(oracle.now);
    }
  });

it('charges, what is owed, lost and extra are what an oracle says, after each command of random histories', () => {
  fc.assert(historyOf(false), { numRuns: 1_000 });
});

it('finds a reversal that does not work the charges out again', () => {
  expect(fc.check(historyOf(true), { numRuns: 1_000 }).failed).toBe(true);
});
