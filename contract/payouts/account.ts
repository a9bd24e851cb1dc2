import { plainPhone } from '#contract/accounts/username.ts';
import type { FailureCode } from '#contract/errors.ts';
import type { CashMethod } from '#contract/journal/accounts.ts';

/** Payout accounts: where a business's money is sent, what their numbers look like, and when one may be paid to. */

interface Provider {
  readonly name: string;
  readonly method: CashMethod;
  /** What its numbers look like once they are in plain form. */
  readonly pattern: RegExp;
  /** What a number of another shape is told, at the field. */
  readonly shape: string;
}

/**
 * Prefixes of the two networks, 2026-11-23. MTN 077 and 078: high (Daily Monitor, 21 June 2021: both are used up and a new
 * one was granted); 076 and 079: medium and low, the new ones. Airtel 070 and 075: high, 074: medium (Uganda's numbering
 * plan, as Wikipedia has it). A wrong prefix is a refused account, a missing one too: an officer still asks the holder.
 */
export const providers = {
  mtn: {
    name: 'MTN',
    method: 'mtn',
    pattern: /^07[6-9]\d{7}$/,
    shape: 'Enter an MTN number: 10 digits that begin with 076, 077, 078 or 079',
  },
  airtel: {
    name: 'Airtel',
    method: 'airtel',
    pattern: /^07[045]\d{7}$/,
    shape: 'Enter an Airtel number: 10 digits that begin with 070, 074 or 075',
  },
  bank: {
    name: 'Bank',
    method: 'bank',
    pattern: /^\d{6,20}$/,
    shape: 'Enter the account number: 6 to 20 digits, without letters',
  },
} as const satisfies Record<string, Provider>;
export type ProviderCode = keyof typeof providers;
export const providerCodes = ['mtn', 'airtel', 'bank'] as const satisfies readonly ProviderCode[];

/** Whether it is mobile money, which takes no more than its provider allows. */
export function isWallet(provider: ProviderCode): boolean {
  return provider !== 'bank';
}

/** A number as it is stored and compared: without spaces and dashes, and 0 instead of +256. */
export function plainAccountNumber(provider: ProviderCode, typed: string): string {
  const digits = typed.replaceAll(/[\s\u00a0-]/g, '');
  return provider === 'bank' ? digits : plainPhone(digits);
}

/** Whether a number in plain form is one of the provider's. */
export function isAccountNumber(provider: ProviderCode, number: string): boolean {
  return providers[provider].pattern.test(number);
}

/** A payout account as far as people recognise it. */
export interface NamedAccount {
  readonly provider: ProviderCode;
  readonly number: string;
  readonly holderName: string;
  readonly bankName: string | null;
}

const SHOWN_DIGITS = 3;

/** What everybody may see of an account: "MTN ••• 678, Sarah Nabirye". */
export function maskedAccount({ provider, number, holderName, bankName }: NamedAccount): string {
  return `${bankName ?? providers[provider].name} ${maskedNumber(number)}, ${holderName}`;
}

/** What everybody may see of a number: "••• 678". */
export function maskedNumber(number: string): string {
  return `••• ${number.slice(-SHOWN_DIGITS)}`;
}

/** What happened to an account. */
export interface AccountHistory {
  readonly verifiedAt: Date | null;
  readonly frozenAt: Date | null;
  readonly replacedAt: Date | null;
}

export const accountStates = {
  unverified: 'Waiting for our check',
  waiting: 'Checked, not usable yet',
  usable: 'Ready to use',
  frozen: 'Frozen',
  replaced: 'Replaced',
} as const;
export type AccountState = keyof typeof accountStates;
export const accountStateNames = ['unverified', 'waiting', 'usable', 'frozen', 'replaced'] as const;

/** From when on an account may be paid to: so long after its verification; null before that. */
export function usableFrom({ verifiedAt }: Pick<AccountHistory, 'verifiedAt'>, waitMs: number): Date | null {
  return verifiedAt === null ? null : new Date(verifiedAt.getTime() + waitMs);
}

/** The state of an account at a moment. Frozen stands above everything: it says that somebody objected. */
export function accountState(account: AccountHistory, now: Date, waitMs: number): AccountState {
  if (account.frozenAt !== null) return 'frozen';
  if (account.replacedAt !== null) return 'replaced';
  const from = usableFrom(account, waitMs);
  if (from === null) return 'unverified';
  return now < from ? 'waiting' : 'usable';
}

/** Why nothing is paid to an account in that state; null if it may be. */
export const accountRefusals = {
  unverified: 'PAYOUT_ACCOUNT_UNVERIFIED',
  waiting: 'PAYOUT_ACCOUNT_NEW',
  usable: null,
  frozen: 'PAYOUT_ACCOUNT_FROZEN',
  replaced: 'PAYOUT_ACCOUNT_REPLACED',
} as const satisfies Record<AccountState, FailureCode | null>;

/**
 * The account that an application is paid to: the chosen one, in whatever state, else the business's only usable one, else
 * the only one that will be. Undefined where somebody has to choose or add one.
 */
export function accountOf<Account extends { readonly id: number; readonly state: AccountState }>(
  accounts: readonly Account[],
  chosenId: number | null,
): Account | undefined {
  if (chosenId !== null) return accounts.find(({ id }) => id === chosenId);
  const usable = accounts.filter(({ state }) => state === 'usable');
  const coming = accounts.filter(({ state }) => state === 'waiting' || state === 'unverified');
  const known = usable.length > 0 ? usable : coming;
  return known.length === 1 ? known[0] : undefined;
}
