import type { CashMethod } from '#contract/journal/accounts.ts';

/** The layouts of statements (docs/operations.md, 'Statements'): a column is found by its name, others are left alone. */

/** A rail whose account has statements. */
export const railCodes = ['mtn', 'airtel', 'bank'] as const satisfies readonly CashMethod[];
export type Rail = (typeof railCodes)[number];

/** What a statement is of, where a provider keeps what comes in and what goes out in two accounts. */
export const statementAccounts = {
  all: 'The whole account',
  collection: 'Collections only',
  disbursement: 'Disbursements only',
} as const;
export type StatementAccount = keyof typeof statementAccounts;
export const statementAccountCodes = Object.keys(statementAccounts) as [StatementAccount, ...StatementAccount[]]; // the keys of a constant are its type's

interface Layout {
  readonly name: string;
  /** How its dates begin; a time may follow. */
  readonly dates: 'YYYY-MM-DD' | 'DD/MM/YYYY';
  /** The names of its columns. */
  readonly columns: {
    readonly date: string;
    readonly id: string;
    readonly details: string;
    readonly currency: string;
    readonly payerName: string;
    readonly payerNumber?: string;
    readonly status?: string;
    /** Above 0 came in, below 0 went out. */
    readonly amount?: string;
    /** Or two columns. */
    readonly credit?: string;
    readonly debit?: string;
  };
  /** What the status says of money that moved; lines with another one are left out. */
  readonly done?: string;
  /** How the last line begins: then follow the number of lines, and the sums below their columns. */
  readonly trailer?: string;
  /** Whether a line may have no id of its own, or one that others have, too. */
  readonly mayLackId?: true;
  readonly mayRepeatId?: true;
}

export const layouts = {
  mtn: {
    name: 'MTN mobile money',
    dates: 'YYYY-MM-DD',
    columns: {
      id: 'Id',
      date: 'Date',
      status: 'Status',
      payerNumber: 'From',
      payerName: 'From name',
      details: 'Message',
      amount: 'Amount',
      currency: 'Currency',
    },
    done: 'Successful',
  },
  airtel: {
    name: 'Airtel Money',
    dates: 'YYYY-MM-DD',
    columns: {
      id: 'Transaction ID',
      date: 'Date',
      status: 'Status',
      payerNumber: 'Sender number',
      payerName: 'Sender name',
      details: 'Reference',
      credit: 'Credit',
      debit: 'Debit',
      currency: 'Currency',
    },
    done: 'TS',
  },
  bank: {
    name: 'Bank',
    dates: 'DD/MM/YYYY',
    columns: {
      date: 'Date',
      id: 'Bank reference',
      payerName: 'Payer',
      details: 'Details',
      debit: 'Debit',
      credit: 'Credit',
      currency: 'Currency',
    },
    trailer: 'TOTAL',
    mayLackId: true,
    mayRepeatId: true,
  },
} as const satisfies Record<Rail, Layout>;

export type ColumnRole = keyof Layout['columns'];

/** What to do with a file that is too large. A line without an id is told by its equals of that day, which must stay together. */
export function howToSplit(rail: Rail): string {
  return layoutOf(rail).mayLackId === true ? 'Send a file for each day' : 'Send it in parts, each for the same days';
}

/** The layout of a rail's statements. */
export function layoutOf(rail: Rail): Layout {
  return layouts[rail];
}
