import type { OwnAccount } from '#server/rail-port/rail.ts';
import type { RailSetting } from '#server/rails/rail-settings.ts';

/** The settings of payouts by file: our account at the bank, for each currency. */

const MUST =
  "the number of your account at the bank and the name that it is in, such as '9030001234567 Kasente Ltd': 6 to 20 digits, then 2 to 100 letters, digits, spaces and . , & ' ( ) -";
const ACCOUNT = /^\d{6,20} [\p{L}\p{N}][\p{L}\p{M}\p{N} .,&'()-]{1,99}$/u;

/** A currency without an account is paid by hand. */
const account = { secret: false, must: MUST, pattern: ACCOUNT, fallback: '' } as const satisfies RailSetting;

export const settings = { BANK_FILE_UGX: account, BANK_FILE_USD: account } as const;
export const currencies = ['UGX', 'USD'] as const;

/** Our account in that currency. */
export function accountIn(value: (name: keyof typeof settings) => string, currency: string): OwnAccount | undefined {
  const known = currencies.find((one) => one === currency);
  const [, number, name] = /^(\d+) (.+)$/u.exec(known === undefined ? '' : value(`BANK_FILE_${known}`)) ?? [];
  return number === undefined || name === undefined ? undefined : { number, name };
}
