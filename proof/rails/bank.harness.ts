import { parse } from 'csv-parse/sync';
import { addDays, kampalaDate } from '#contract/time/calendar.ts';
import { type BankLine, bankStatement } from '#server/transfers/batches/batches.harness.ts';

/** The lender's bank, which pays every line of each file that it receives. */

/** A line with all its fields. */
type Booked = Required<BankLine>;

/** A bank charge, on a day without any other line. */
interface Charge {
  readonly rail: 'bank';
  readonly currency: 'UGX';
  readonly day: string;
}

export class Bank {
  /** The bank's payments. */
  readonly paid: Booked[] = [];
  /** Newest first. */
  readonly charges: Charge[] = [];
  readonly #today: string;
  readonly #taken = new Set<string>();

  constructor(now: Date) {
    this.#today = kampalaDate(now);
  }

  /** Whether the bank already has a file: officers check this before they bring it. */
  has(batchTag: string): boolean {
    return this.#taken.has(batchTag);
  }

  /** Accepts a file and pays all its lines. */
  take(batchTag: string, file: string, now: Date): void {
    const rows: string[][] = parse(file);
    this.#taken.add(batchTag);
    for (const cells of rows.slice(1, -1)) {
      const [details = '', amount = ''] = [cells[6], cells[4]];
      const date = slashed(kampalaDate(now));
      this.paid.push({ id: `FT${this.paid.length + 1}`, details, amount: -Number(amount), date });
    }
  }

  /** The payments, as a downloaded statement. */
  statement(): string {
    return bankStatement(this.paid);
  }

  /** Adds a charge on a new earliest day, because statements of other days are imported already. */
  charge(): Charge & { readonly statement: string } {
    const nth = this.charges.length + 1;
    const day = addDays(this.#today, -1 - nth);
    const line = { id: `CH${nth}`, details: 'Service charge', amount: -2_500, date: slashed(day) };
    const charge = { rail: 'bank', currency: 'UGX', day } as const;
    this.charges.unshift(charge);
    return { ...charge, statement: bankStatement([line]) };
  }
}

/** A date in the bank's format. */
export function slashed(date: string): string {
  return date.split('-').reverse().join('/');
}
