import { type AccountCode, accountCodes, accounts } from '#contract/journal/accounts.ts';
import type { AccountJournal, ApplicationJournal, TrialBalance } from '#contract/journal/schema.ts';
import { sumNumeric } from '#contract/money.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { findInvoice } from '#server/invoices/invoices.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context } from '#server/platform/work.ts';
import { selectAccountLines, selectApplicationLines, selectBalances } from './reading.queries.ts';

/** All journal entries of an application by date. Throws NOT_FOUND. */
export async function readApplicationJournal(
  { platform: { db }, caller }: Context,
  tag: string,
): Promise<ApplicationJournal> {
  const { id, currencyCode: currency, invoiceNumber } = await findInvoice(db, caller, tag);
  const lines = Map.groupBy(await selectApplicationLines(db, id), ({ tag: entry }) => entry);
  const entries = [...lines.values()].flatMap((ofEntry) => {
    const [first] = ofEntry;
    if (first === undefined) return [];
    const { account: _, amount: __, balance: ___, ...entry } = first;
    const inOrder = ofEntry.toSorted(
      (one, two) => accountCodes.indexOf(one.account) - accountCodes.indexOf(two.account),
    );
    return [{ ...entry, lines: inOrder.map(({ account, amount, balance }) => ({ account, amount, balance })) }];
  });
  return { currency, invoiceNumber, entries };
}

/** The number of lines in a page of an account. */
const PAGE = 50;

/** The lines of an account in one currency by date, newest first. */
export async function readAccountJournal(
  { db }: Platform,
  account: AccountCode,
  { currency, before }: { readonly currency: string; readonly before?: string | undefined },
): Promise<AccountJournal> {
  const rows = await selectAccountLines(db, { account, currency, before, limit: PAGE + 1 });
  const lines = rows.slice(0, PAGE);
  return { currency, account, lines, next: rows.length > PAGE ? (lines.at(-1)?.tag ?? null) : null };
}

/** The balance of every account at the end of a day in Kampala, by default today. */
export async function readTrialBalance({ platform: { db }, caller }: Context, on?: string): Promise<TrialBalance> {
  const day = on ?? kampalaDate(caller.now);
  const rows = Map.groupBy(await selectBalances(db, day), ({ currency }) => currency);
  const currencies = [...rows].map(([currency, balances]) => {
    const listed = accountCodes.flatMap((account) => {
      const balance = balances.find((row) => row.account === account)?.balance;
      if (balance === undefined) return [];
      const isCredit = balance.startsWith('-');
      const amounts = isCredit ? { debit: '0.00', credit: balance.slice(1) } : { debit: balance, credit: '0.00' };
      return [{ account, kind: accounts[account].kind, ...amounts }];
    });
    const sum = (side: 'debit' | 'credit') => sumNumeric(listed.map((row) => row[side]));
    return { currency, accounts: listed, debit: sum('debit'), credit: sum('credit') };
  });
  return { on: day, currencies };
}
