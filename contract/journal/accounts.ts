import { keysOf } from '#contract/keys.ts';

/**
 * The chart of accounts (docs/decisions/0042-double-entry.md). A balance is positive where debits exceed credits, so
 * all balances of a currency add up to 0.
 */

/** The kinds of accounts on the balance sheet. A memorandum account is not ours: it says what a buyer owes. */
export const accountKinds = ['asset', 'liability', 'income', 'expense', 'memorandum'] as const;
export type AccountKind = (typeof accountKinds)[number];

interface Account {
  readonly name: string;
  readonly kind: AccountKind;
}

export const accounts = {
  cashMtn: { name: 'Cash, MTN mobile money', kind: 'asset' },
  cashAirtel: { name: 'Cash, Airtel Money', kind: 'asset' },
  cashMobileMoney: { name: 'Cash, mobile money', kind: 'asset' },
  cashBank: { name: 'Cash, bank', kind: 'asset' },
  advances: { name: 'Advances to clients', kind: 'asset' },
  feesNotEarned: { name: 'Fees not yet earned', kind: 'liability' },
  clientPayable: { name: 'Owed to clients', kind: 'liability' },
  clientFractions: { name: 'Owed to clients, below what can be sent', kind: 'liability' },
  suspense: { name: 'Received, not yet assigned', kind: 'liability' },
  feeIncome: { name: 'Fee income', kind: 'income' },
  lateCharges: { name: 'Late charges', kind: 'income' },
  recoveries: { name: 'Recovered after a write-off', kind: 'income' },
  rounding: { name: 'Rounding', kind: 'income' },
  writeOffs: { name: 'Written off', kind: 'expense' },
  buyersOwe: { name: 'Buyers owe on financed invoices', kind: 'memorandum' },
  financedInvoices: { name: 'Financed invoices', kind: 'memorandum' },
} as const satisfies Record<string, Account>;

export type AccountCode = keyof typeof accounts;
export const accountCodes = keysOf(accounts);

/** The cash account of a payment's method. */
export const cashAccounts = {
  mtn: 'cashMtn',
  airtel: 'cashAirtel',
  mobileMoney: 'cashMobileMoney',
  bank: 'cashBank',
} as const satisfies Record<string, AccountCode>;
export type CashMethod = keyof typeof cashAccounts;
export const cashMethods = ['mtn', 'airtel', 'bank', 'mobileMoney'] as const satisfies readonly CashMethod[];
