import { plainNumber, plainPhone } from '#contract/accounts/username.ts';
import type { FailureCode } from '#contract/errors.ts';
import type { CashMethod } from '#contract/journal/accounts.ts';
import { keysOf } from '#contract/keys.ts';

/**
 * Payout accounts: where we send a business's money, the format of account numbers, and when we may pay to an account.
 */

interface Provider {
  readonly name: string;
  readonly method: CashMethod;
  /** The format of its numbers in plain form. */
  readonly pattern: RegExp;
  /** The error message for a number in another format. */
  readonly shape: string;
}

/**
 * Prefixes of the two networks, as of 2026-11-23. MTN 077 and 078: high confidence (Daily Monitor, 21 June 2021: both
 * are used up, a new one was granted); 076 and 079, the new ones: medium and low. Airtel 070 and 075: high, 074: medium
 * (Uganda's numbering plan, according to Wikipedia). A wrong or missing prefix only means a refused account, because an
 * officer asks the holder anyway.
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
export const providerCodes = keysOf(providers);

/** Whether the account is mobile money, for which the provider limits payments. */
export function isWallet(provider: ProviderCode): boolean {
  return provider !== 'bank';
}

/** A number in plain form, for storing and comparing: without separators, and a phone number in national form. */
export function plainAccountNumber(provider: ProviderCode, typed: string): string {
  return provider === 'bank' ? plainNumber(typed) : plainPhone(typed);
}

/** Whether a number in plain form belongs to the provider. */
export function isAccountNumber(provider: ProviderCode, number: string): boolean {
  return providers[provider].pattern.test(number);
}

/** The mobile money that a phone number belongs to, and its plain form; undefined if neither network has it. */
export function walletOf(phone: string): { readonly provider: ProviderCode; readonly number: string } | undefined {
  const number = plainPhone(phone);
  const provider = (['mtn', 'airtel'] as const).find((code) => isAccountNumber(code, number));
  return provider && { provider, number };
}

/** The details by which people recognise a payout account. */
export interface NamedAccount {
  readonly provider: ProviderCode;
  readonly number: string;
  readonly holderName: string;
  readonly bankName: string | null;
}

const SHOWN_DIGITS = 3;

/** The masked account, which everybody may see: "MTN ••• 678, Sarah Nabirye". */
export function maskedAccount(account: NamedAccount): string {
  return `${shortAccount(account)}, ${account.holderName}`;
}

/** The masked account without its holder: "MTN ••• 678". */
export function shortAccount({ provider, number, bankName }: Omit<NamedAccount, 'holderName'>): string {
  return `${bankName ?? providers[provider].name} ${maskedNumber(number)}`;
}

/** The masked number, which everybody may see: "••• 678". */
export function maskedNumber(number: string): string {
  return `••• ${number.slice(-SHOWN_DIGITS)}`;
}

/** What happened to an account. */
export interface AccountHistory {
  readonly verifiedAt: Date | null;
  /** Whether its verification let it be paid to without a wait (`skipsWait`, account-steps.ts). */
  readonly skipsWait: boolean;
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
export const accountStateNames = keysOf(accountStates);

/** When we may pay to an account: some hours after its verification, unless it skips the wait; null before that. */
export function usableFrom(account: Pick<AccountHistory, 'verifiedAt' | 'skipsWait'>, waitMs: number): Date | null {
  const { verifiedAt, skipsWait } = account;
  return verifiedAt === null ? null : new Date(verifiedAt.getTime() + (skipsWait ? 0 : waitMs));
}

/** The state of an account at a moment. Frozen takes precedence, because somebody has objected. */
export function accountState(account: AccountHistory, now: Date, waitMs: number): AccountState {
  if (account.frozenAt !== null) return 'frozen';
  if (account.replacedAt !== null) return 'replaced';
  const from = usableFrom(account, waitMs);
  if (from === null) return 'unverified';
  return now < from ? 'waiting' : 'usable';
}

/** Why we may not pay to an account in that state; null if we may. */
export const accountRefusals = {
  unverified: 'PAYOUT_ACCOUNT_UNVERIFIED',
  waiting: 'PAYOUT_ACCOUNT_NEW',
  usable: null,
  frozen: 'PAYOUT_ACCOUNT_FROZEN',
  replaced: 'PAYOUT_ACCOUNT_REPLACED',
} as const satisfies Record<AccountState, FailureCode | null>;

/**
 * The account for an application's payout: the chosen one in any state, else the business's only usable one, else the
 * only one that will become usable. Undefined if somebody must choose or add one.
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
