import type { Book } from './book.ts';
import { ugandanDate } from './clock.ts';
import { type AccountName, accountNames, type Transaction } from './events.ts';
import type { Provider, StatementLine } from './provider.ts';

interface Selection {
  /** A date in Uganda, '2026-11-23'; every day if absent. */
  readonly date?: string | undefined;
  readonly account?: AccountName | undefined;
}

/** The provider's statement for download, as CSV, with the faults of its transactions. */
export function statementCsv(provider: Provider, book: Book, { date, account }: Selection): string {
  const accounts = account === undefined ? accountNames : [account];
  const lines = accounts
    .flatMap((one) => linesOf(book, one))
    .filter(({ transaction }) => date === undefined || ugandanDate(transaction.settledAt ?? 0) === date)
    .toSorted((one, other) => (one.transaction.settledAt ?? 0) - (other.transaction.settledAt ?? 0))
    .flatMap(distorted);
  const rows = lines.map((line) => provider.statementRow(line).map(cell).join(','));
  return [provider.statementHead, ...rows].map((row) => `${row}\r\n`).join('');
}

/** One account's lines, each with the balance after it. */
function linesOf(book: Book, account: AccountName): StatementLine[] {
  const moved = book.transactions
    .filter((one) => one.state === 'succeeded' && accountOf(one) === account)
    .toSorted((one, other) => (one.settledAt ?? 0) - (other.settledAt ?? 0));
  const gained = ({ kind, amount }: Transaction) => (kind === 'transfer' ? -amount : amount);
  let balance = book.accounts[account] - moved.reduce((sum, one) => sum + gained(one), 0);
  return moved.map((transaction) => {
    const amount = gained(transaction);
    balance += amount;
    return { transaction, wallet: book.wallet(transaction.msisdn), amount, balance };
  });
}

function accountOf({ kind }: Transaction): AccountName {
  return kind === 'transfer' ? 'disbursement' : 'collection';
}

/** Repeats, omits or changes a line as its fault demands. */
function distorted(line: StatementLine): StatementLine[] {
  const { statement, statementDifference } = line.transaction.plan;
  switch (statement) {
    case 'missing':
      return [];
    case 'twice':
      return [line, line];
    case 'amount':
      return [{ ...line, amount: line.amount + Math.sign(line.amount) * statementDifference }];
    case 'as it was':
      return [line];
  }
}

function cell(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
