import fc from 'fast-check';

/**
 * The state that an application must reach, computed from its commands alone, day by day. It shares no code with the
 * product: days are counted from the payout, amounts are in minor units, and everything is recomputed from the start
 * after each command.
 */

export const ADVANCE = 33_333_371;
export const BPS = 37;
export const FIRST_DUE = 30;
const SHILLING = 100;
const CAP = 16_666_685;

export type Command =
  | { readonly do: 'receive'; readonly amount: number; readonly daysAgo: number }
  | { readonly do: 'reverse'; readonly pick: number }
  | { readonly do: 'wait'; readonly days: number; readonly isSwept: boolean }
  | { readonly do: 'extend'; readonly fee: number }
  | { readonly do: 'deduct'; readonly amount: number }
  | { readonly do: 'dispute' | 'endDispute' | 'writeOff' };

const amount = fc.oneof(
  fc.integer({ min: 1, max: ADVANCE + 500_000 }),
  fc.constantFrom(ADVANCE, 33_333_300, 33_333_340, 10_000_050, 23_333_300, 60),
);
const daysAgo = fc.integer({ min: 0, max: 45 });
export const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('receive' as const), amount, daysAgo }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('reverse' as const), pick: fc.nat() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      days: fc.integer({ min: 1, max: 20 }),
      isSwept: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('extend' as const), fee: fc.nat(900_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('deduct' as const), amount: fc.integer({ min: 100, max: 50_000 }) }),
  },
  { weight: 3, arbitrary: fc.constantFrom('dispute', 'endDispute', 'writeOff').map((what) => ({ do: what })) },
) as fc.Arbitrary<Command>; // the literal kinds are widened by `constantFrom`

/** The visible state of an application. */
export interface Expected {
  readonly charges: Readonly<Record<number, number>>;
  readonly outstanding: number;
  readonly lost: number;
  readonly surplus: number;
  /** The amount that the buyer kept back; the client still owes it. */
  readonly deducted: number;
  /** Days since the due date; 0 unless something is owed after it. */
  readonly overdueDays: number;
  /** How much of the client's limit is used. */
  readonly used: number;
}

type Sums = Omit<Expected, 'deducted' | 'overdueDays' | 'used'>;

interface Payment {
  readonly amount: number;
  readonly day: number;
  isReversed: boolean;
}

export class Oracle {
  today = 0;
  due: number;
  readonly receipts: Payment[] = [];
  readonly #fees: { readonly amount: number; readonly day: number }[] = [];
  readonly #losses: { readonly amount: number; readonly day: number }[] = [];
  readonly #disputes: { readonly from: number; until: number }[] = [];
  /** Days that were ever charged, and days up to the last closing that may keep their charge. */
  readonly #everCharged = new Set<number>();
  #closedOn = 0;
  #mayStay = new Set<number>();
  #deducted = 0;
  /** The amount paid above the debt. */
  #extra = 0;
  /** Fractions of a shilling above the debt that receipts gave away, with the receipt. */
  readonly #given: { readonly by: Payment | undefined; readonly amount: number }[] = [];
  readonly #isServer: boolean;
  #now: Sums = { charges: {}, outstanding: ADVANCE, lost: 0, surplus: 0 };

  /** `due`: days from the payout. A server keeps no surplus below a shilling; the contract's functions alone do. */
  constructor({ due, isServer }: { readonly due: number; readonly isServer: boolean }) {
    this.due = due;
    this.#isServer = isServer;
  }

  get now(): Expected {
    const isLate = this.#now.outstanding > 0 && this.today > this.due;
    const used = this.#now.outstanding;
    return { ...this.#now, deducted: this.#deducted, overdueDays: isLate ? this.today - this.due : 0, used };
  }

  get isDisputed(): boolean {
    return this.#disputes.some(({ until }) => until === Number.POSITIVE_INFINITY);
  }

  take(given: Command): void {
    switch (given.do) {
      case 'receive':
        this.receipts.push({ ...given, day: Math.max(0, this.today - given.daysAgo), isReversed: false });
        break;
      case 'reverse': {
        const one = this.receipts[given.pick % Math.max(1, this.receipts.length)];
        if (one === undefined || one.isReversed) return;
        one.isReversed = true;
        break;
      }
      case 'wait':
        this.today += given.days;
        if (!given.isSwept || this.#now.outstanding === 0) return;
        break;
      case 'dispute':
        if (!this.isDisputed) this.#disputes.push({ from: this.today, until: Number.POSITIVE_INFINITY });
        return;
      case 'endDispute':
        for (const one of this.#disputes) one.until = Math.min(one.until, this.today);
        return;
      case 'deduct':
        this.#deducted += given.amount;
        return;
      case 'extend':
        if (this.#now.outstanding === 0 || this.#fees.length > 1 || this.#losses.length > 0) return;
        this.#close();
        this.#fees.push({ amount: given.fee, day: this.today });
        this.due = Math.max(this.due, this.today) + 7;
        this.#now = { ...this.#now, outstanding: this.#now.outstanding + given.fee };
        return;
      case 'writeOff':
        if (this.#now.outstanding === 0) return;
        this.#close();
        this.#losses.push({ amount: this.#now.outstanding, day: this.today });
        this.#now = { ...this.#now, outstanding: 0, lost: this.#now.lost + this.#now.outstanding };
        return;
    }
    this.#settleUp();
    if (this.#isServer && given.do === 'receive') this.#giveAwayPart();
  }

  /** A receipt that leaves the client less than a shilling gives that fraction away. */
  #giveAwayPart(): void {
    const left = this.#extra - this.#givenInForce;
    if (this.#now.outstanding + this.#now.lost > 0 || left >= SHILLING) return;
    this.#given.push({ by: this.receipts.at(-1), amount: left });
    this.#settleUp();
  }

  get #givenInForce(): number {
    return this.#given.reduce((sum, { by, amount: part }) => sum + (by?.isReversed ? 0 : part), 0);
  }

  #close(): void {
    const later = [...this.#everCharged].filter((day) => day > this.#closedOn);
    this.#mayStay = new Set([...this.#mayStay, ...later]);
    this.#closedOn = this.today;
  }

  #settleUp(): void {
    const charges: Record<number, number> = {};
    let charged = 0;
    for (let day = 1; day <= this.today; day += 1) {
      const isLate = day <= this.#closedOn ? this.#mayStay.has(day) : day > this.due;
      if (!isLate || this.#disputes.some(({ from, until }) => from < day && day <= until)) continue;
      const unpaid = this.#unpaidBefore(day);
      const cost = unpaid < SHILLING ? 0 : Math.min(CAP - charged, Math.floor((unpaid * BPS + 5_000) / 10_000));
      if (cost <= 0) continue;
      charges[day] = cost;
      charged += cost;
      this.#everCharged.add(day);
    }
    const sum = (of: readonly { readonly amount: number }[]) => of.reduce((all, one) => all + one.amount, 0);
    const paid = sum(this.receipts.filter(({ isReversed }) => !isReversed));
    const owed = ADVANCE + sum(this.#fees) + charged;
    const lost = sum(this.#losses);
    const left = Math.max(0, owed - paid);
    let outstanding = Math.max(0, left - lost);
    let stillLost = left - outstanding;
    if (outstanding < SHILLING) {
      outstanding = 0;
      if (stillLost < SHILLING) stillLost = 0;
    }
    this.#extra = Math.max(0, paid - owed);
    const surplus = this.#extra - Math.max(0, Math.min(this.#extra, this.#givenInForce));
    this.#now = { charges, outstanding, lost: stillLost, surplus };
  }

  #unpaidBefore(day: number): number {
    let unpaid = ADVANCE;
    for (const loss of this.#losses) if (loss.day < day) unpaid -= loss.amount;
    for (const one of this.receipts) if (one.day < day && !one.isReversed) unpaid -= one.amount;
    return unpaid;
  }
}
