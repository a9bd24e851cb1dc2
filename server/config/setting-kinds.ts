import { isIP, isIPv4 } from 'node:net';
import { z } from 'zod';
import { bucketParameters, faultOf } from './setting-urls.ts';

/** What kinds of values settings take; a message ends the sentence `<setting> must be …`. */

const MINOR_PER_UNIT = 100;

/** The currencies that the reference data has (server/migrations/0001-reference.ts). */
export const CURRENCIES: readonly string[] = ['UGX', 'USD'];

const emptyAsAbsent = (value: unknown): unknown => (value === '' ? undefined : value);

/** A setting that is empty counts as absent. */
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

/** What Fastify takes besides addresses. */
const ADDRESS_GROUPS: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

/** Whose X-Forwarded-For is believed. */
export const trustedProxy = z
  .string()
  .refine(isTrustProxy, "true, the number of proxies in front, or their addresses such as '10.0.0.1, 10.1.0.0/16'");

function isTrustProxy(text: string): boolean {
  return /^(true|false|\d{1,2})$/.test(text) || text.split(',').every((part) => isProxyAddress(part.trim()));
}

/** An address, or a range of them by the length of its prefix. */
function isProxyAddress(text: string): boolean {
  if (ADDRESS_GROUPS.includes(text)) return true;
  const [address = '', prefix, ...rest] = text.split('/');
  if (isIP(address) === 0 || rest.length > 0) return false;
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= (isIPv4(address) ? 32 : 128))
  );
}

/** A bucket, or the path of a file; a URL of another kind is no path. */
export const witness = z.string().superRefine((text, context) => {
  const example = 's3://bucket/prefix?region=af-south-1';
  const either = `a file such as /var/log/kasente/witness, or ${example}`;
  if (/^s3:/i.test(text)) {
    const message = faultOf(text, { protocols: ['s3:'], example, parameters: bucketParameters });
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  } else if (/^[a-z][a-z0-9+.-]*:/i.test(text)) context.addIssue({ code: 'custom', message: either });
});
