import { readCsv } from '#contract/statements/csv.ts';
import { addDays, kampalaDate } from '#contract/time/calendar.ts';
import { type BankLine, bankStatement } from '#server/transfers/batches/batches.harness.ts';

/** The lender's bank, which pays what is in a file, each time that it is given one. */

/** A line with all that it has. */
type Booked = Required<BankLine>;

/** A charge of the bank's, on a day of its account on which nothing else was. */
interface Charge {
  readonly rail: 'bank';
  readonly currency: 'UGX';
  readonly day: string;
}

export class Bank {
  /** What it paid. */
  readonly paid: Booked[] = [];
  /** The newest first. */
  readonly charges: Charge[] = [];
  readonly #today: string;
  readonly #taken = new Set<string>();

  constructor(now: Date) {
    this.#today = kampalaDate(now);
  }

  /** Whether people brought a file already: they look before they bring it. */
  has(batchTag: string): boolean {
    return this.#taken.has(batchTag);
  }

  /** Takes a file, and pays all that is in it. */
  take(batchTag: string, file: string, now: Date): void {
    const rows = readCsv(file, '');
    if (!('slice' in rows)) throw new Error(`the bank does not take line ${rows.line}: ${rows.why}`);
    this.#taken.add(batchTag);
    for (const { cells } of rows.slice(1, -1)) {
      const [details = '', amount = ''] = [cells[6], cells[4]];
      const date = slashed(kampalaDate(now));
      this.paid.push({ id: `FT${this.paid.length + 1}`, details, amount: -Number(amount), date });
    }
  }

  /** What it paid, as its customers download it. */
  statement(): string {
    return bankStatement(this.paid);
  }

  /** Takes a charge on a day before those of all others: an earlier statement would contradict it. */
  charge(): Charge & { readonly statement: string } {
    const nth = this.charges.length + 1;
    const day = addDays(this.#today, -1 - nth);
    const line = { id: `CH${nth}`, details: 'Service charge', amount: -2_500, date: slashed(day) };
    const charge = { rail: 'bank', currency: 'UGX', day } as const;
    this.charges.unshift(charge);
    return { ...charge, statement: bankStatement([line]) };
  }
}

/** A date as the bank writes it. */
export function slashed(date: string): string {
  return date.split('-').reverse().join('/');
}
