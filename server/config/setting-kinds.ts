import { isIP, isIPv4 } from 'node:net';
import parseAddresses from 'nodemailer/lib/addressparser';
import { z } from 'zod';
import { EMAIL_PATTERN } from '#contract/accounts/username.ts';
import { BPS_PER_PERCENT, MINOR_PER_UNIT } from '#contract/money.ts';
import { BUCKET_LOGIN, bucketParameters, faultOf } from './setting-urls.ts';

/** The kinds of settings. A message completes the sentence `<setting> must be …`. */

/** The currencies of the reference data (server/migrations/0059-baseline.sql). */
export const CURRENCIES: readonly string[] = ['UGX', 'USD'];

const emptyAsAbsent = (value: unknown): unknown => (value === '' ? undefined : value);

/** An empty setting counts as absent. */
export function setting<T extends z.ZodType>(schema: T) {
  return z.preprocess(emptyAsAbsent, schema);
}

export function integer(minimum: number, maximum: number) {
  const message = `a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .pipe(z.int(message).min(minimum, message).max(maximum, message));
}

/** A sender in the form that mail programs write, parsed as nodemailer parses it. */
export const sender = z.string().refine((text) => {
  const [one, ...others] = parseAddresses(text);
  return one?.address !== undefined && EMAIL_PATTERN.test(one.address) && others.length === 0;
}, 'one address such as Kasente <no-reply@kasente.example>');

/** The value is sent in an HTTP header, which allows no other characters. */
export const headerValue = z.string().regex(/^[!-~]+$/, 'printable characters without spaces');

/** Amounts by currency, such as UGX:20000000,USD:5000; parses to minor units. */
export function amounts(fallback: string) {
  const message = 'amounts by currency in whole units, such as UGX:20000000,USD:5000';
  const list = z
    .string()
    .regex(/^[A-Z]{3}:\d{1,12}(,[A-Z]{3}:\d{1,12})*$/, { message, abort: true })
    .transform((text) => text.split(',').map((pair) => pair.split(':')))
    .superRefine((pairs, context) => {
      const unknown = pairs.find(([currency = '']) => !CURRENCIES.includes(currency))?.[0];
      if (unknown === undefined) return;
      const known = CURRENCIES.join(' and ');
      context.addIssue({ code: 'custom', message: `amounts in ${known}; ${unknown} is no currency of Kasente` });
    })
    .transform((pairs) => new Map(pairs.map(([currency = '', units]) => [currency, Number(units) * MINOR_PER_UNIT])));
  return setting(list.prefault(fallback));
}

const ACCOUNT = /^[\p{L}\p{N}\p{P}\p{Zs}+]{4,80}$/u;
const ACCOUNTS = 5;
/** The currency of an account without a currency code before it. */
const SHILLINGS = 'UGX';
const OF_CURRENCY = new RegExp(`^(${CURRENCIES.join('|')}): *(.+)$`);

/** The lender's accounts as shown to people, separated by semicolons; parses to those of each currency. */
export const repaymentAccounts = z
  .string()
  .transform((text) => text.split(';').map((account) => account.trim()))
  .refine(
    (accounts) => accounts.length <= ACCOUNTS && accounts.every((account) => ACCOUNT.test(account)),
    `up to ${ACCOUNTS} accounts of 4 to 80 characters with a semicolon between two, such as MTN MoMo merchant 123456; USD: Stanbic Bank 9030001234567, Kasente Ltd`,
  )
  .transform((accounts): ReadonlyMap<string, readonly string[]> => {
    const named = accounts.map((account) => {
      const [, currency = SHILLINGS, name = account] = OF_CURRENCY.exec(account) ?? [];
      return { currency, name };
    });
    const byCurrency = Map.groupBy(named, ({ currency }) => currency);
    return new Map([...byCurrency].map(([currency, of]) => [currency, of.map(({ name }) => name)]));
  });

const REMINDER_DAYS = 'up to 20 days from -30 to 365, each after the one before, such as -3,0,1,3,7,14,30';

const DAILY_RATE = 'per cent of the unpaid advance, from 0 to 5 with up to two decimals, such as 0.1';
const MOST_BPS_A_DAY = 500;

/** A rate in per cent; parses to basis points. */
export const dailyRate = z
  .string()
  .regex(/^\d(\.\d{1,2})?$/, DAILY_RATE)
  .transform((text) => Math.round(Number(text) * BPS_PER_PERCENT))
  .refine((bps) => bps <= MOST_BPS_A_DAY, DAILY_RATE);

/** The days of reminders, counted from the due date. */
export const reminderDays = z
  .string()
  .regex(/^-?\d{1,3}(,-?\d{1,3}){0,19}$/, { message: REMINDER_DAYS, abort: true })
  .transform((text) => text.split(',').map(Number))
  .refine(
    (days) => days.every((day, index) => day >= -30 && day <= 365 && day > (days[index - 1] ?? -31)),
    REMINDER_DAYS,
  );

/** Fastify's named ranges. */
const ADDRESS_GROUPS: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

/** In Fastify's form. */
export type TrustProxy = string | boolean | ((address: string, hop: number) => boolean);

/** 'true', a number of proxies, or a list of their addresses. */
export function readTrustProxy(value: string | undefined): TrustProxy {
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  const proxies = Number(value);
  return /^\d+$/.test(value) ? (_address, hop) => hop < proxies : value;
}

/** The proxies whose X-Forwarded-For is trusted. */
export const trustedProxy = z
  .string()
  .refine(isTrustProxy, "true, the number of proxies in front, or their addresses such as '10.0.0.1, 10.1.0.0/16'");

function isTrustProxy(text: string): boolean {
  return /^(true|false|\d{1,2})$/.test(text) || text.split(',').every((part) => isProxyAddress(part.trim()));
}

/** An address, or a range by prefix length. */
function isProxyAddress(text: string): boolean {
  if (ADDRESS_GROUPS.includes(text)) return true;
  const [address = '', prefix, ...rest] = text.split('/');
  if (isIP(address) === 0 || rest.length > 0) return false;
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= (isIPv4(address) ? 32 : 128))
  );
}

/** A bucket, or the path of a file; other URLs are refused. */
export const witness = z.string().superRefine((text, context) => {
  const example = 's3://bucket/prefix?region=af-south-1';
  const either = `a file such as /var/log/kasente/witness, or ${example}`;
  if (/^s3:/i.test(text)) {
    const message = faultOf(text, { protocols: ['s3:'], example, login: BUCKET_LOGIN, parameters: bucketParameters });
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  } else if (/^[a-z][a-z0-9+.-]*:/i.test(text)) context.addIssue({ code: 'custom', message: either });
});

/** Public keys of age. Their checksums are only checked when a backup is made. */
export const ageRecipients = z
  .string()
  .regex(/^age1[0-9a-z]{50,}(, *age1[0-9a-z]{50,})*$/, 'recipients of age such as age1…, with commas between them')
  .transform((text) => text.split(/, */));
