import type { CashMethod } from '#contract/journal/accounts.ts';
import { keysOf } from '#contract/keys.ts';

/** The layouts of statements (docs/operations.md, 'Statements'). Columns are found by name; other columns are ignored. */

/** A rail whose account has statements. */
export const railCodes = ['mtn', 'airtel', 'bank'] as const satisfies readonly CashMethod[];
export type Rail = (typeof railCodes)[number];

/** Which accounts a statement covers, for providers with separate accounts for incoming and outgoing money. */
export const statementAccounts = {
  all: 'The whole account',
  collection: 'Collections only',
  disbursement: 'Disbursements only',
} as const;
export type StatementAccount = keyof typeof statementAccounts;
export const statementAccountCodes = keysOf(statementAccounts);

interface Layout {
  readonly name: string;
  /** The format of its dates; a time may follow. */
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
    /** Instead of `amount`, in two columns. */
    readonly credit?: string;
    readonly debit?: string;
  };
  /** The status of money that moved; lines with another status are left out. */
  readonly done?: string;
  /** The first cell of the last line, which also contains the number of lines and the sums of the columns. */
  readonly trailer?: string;
  /** Whether a line may lack an id, or share one with others. */
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

/**
 * How to split a file that is too large. Identical lines without an id are numbered within a day, so a day must stay in
 * one file.
 */
export function howToSplit(rail: Rail): string {
  return layoutOf(rail).mayLackId === true ? 'Send a file for each day' : 'Send it in parts, each for the same days';
}

/** The layout of a rail's statements. */
export function layoutOf(rail: Rail): Layout {
  return layouts[rail];
}
