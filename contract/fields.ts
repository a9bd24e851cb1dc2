import { z } from 'zod';
import { readAmount } from '#contract/amounts/read-amount.ts';
import { INVISIBLE } from '#contract/text/invisible.ts';
import { toMinor } from './money.ts';
import { PAGE_SIZE } from './product.ts';

/**
 * Building blocks that several features' schemas share (docs/decisions/0041-left-open.md). No side effects, no clock.
 */

/** A UUID of any version; `z.uuid()` would refuse those that are not RFC 4122's. */
export const tag = z.guid('Not a valid reference');

/** Identifies a single record: in a path, a query or a body. */
export const byTag = z.strictObject({ tag });

/** The reply of calls that return nothing else. */
export const success = z.strictObject({ success: z.literal(true) });

/** The reply of calls that create something. */
export const made = success.extend({ data: byTag });

/** Calls without a payload take none or `{}`. */
export const noBody = z.strictObject({}).optional();

const MAXIMUM_ID = 2_147_483_647;

/** A lookup's id: a positive integer or its decimal string; parses to the integer. */
export function lookupId(message: string) {
  const text = z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number);
  return z.union([z.number(), text], message).pipe(z.int(message).min(1, message).max(MAXIMUM_ID, message));
}

/** An amount of money on the wire, above 0 with at most 2 decimals; parses to minor units. */
export function amount(message: string) {
  return moneyNumber(message, 'positive');
}

/** Like {@link amount}, but 0 is allowed: a fee may round to nothing. */
export function amountOrZero(message: string) {
  return moneyNumber(message, 'zeroToo');
}

function moneyNumber(message: string, least: 'positive' | 'zeroToo') {
  return z.number({ error: ({ input }) => problemOfText(input) ?? message }).transform((value, context) => {
    const minor = toMinor(value);
    if (minor !== undefined && (least === 'positive' ? minor > 0 : minor >= 0)) return minor;
    const tooSmall = value < 0 || (value === 0 && least === 'positive');
    context.addIssue(tooSmall ? message : 'Use up to 2 decimals, and no more than 9,999,999,999,999.99');
    return z.NEVER;
  });
}

/** A hint how to write an amount, for text that a form could not read as one. */
function problemOfText(input: unknown): string | undefined {
  return typeof input === 'string' && input.trim() !== '' ? readAmount(input, undefined).problem : undefined;
}

/** An amount in a reply. */
export const money = z.number();

/** PostgreSQL has no year 0, and no invoice is older than this. */
const EARLIEST_DATE = '1900-01-01';

/**
 * An existing calendar date, YYYY-MM-DD. Whether it lies in the future depends on the clock and is checked elsewhere.
 */
export function calendarDate(message: string) {
  return z.iso.date(message).refine((date) => date >= EARLIEST_DATE, message);
}

/** No control characters and no halves of surrogate pairs: nobody types them, and PostgreSQL refuses some. */
const PRINTABLE = /^[^\p{Cc}\p{Cs}]*$/u;
const UNPRINTABLE = 'Remove characters that cannot be printed';

/** Trimmed text of a bounded length, on one line, of visible characters: names, numbers, references. */
export function text(minimum: number, message: string, maximum = 100) {
  return bounded(z.string(message).trim(), minimum, message, maximum)
    .regex(PRINTABLE, UNPRINTABLE)
    .refine((typed) => !INVISIBLE.test(typed), 'It has characters that cannot be seen. Type it again, do not paste it');
}

/** Like {@link PRINTABLE}, with line breaks. */
const PRINTABLE_LINES = /^(?:\n|[^\p{Cc}\p{Cs}])*$/u;

/**
 * Like {@link text}, over any number of lines: for notes, questions and answers, never for message headers. Every line
 * break is stored as \n; a tab becomes a space, because SMS and letters have none.
 */
export function freeText(minimum: number, message: string, maximum: number) {
  const lines = z.string(message).overwrite((typed) => typed.replaceAll(/\r\n?/g, '\n').replaceAll('\t', ' '));
  return bounded(lines.trim(), minimum, message, maximum).regex(PRINTABLE_LINES, UNPRINTABLE);
}

function bounded(string: z.ZodString, minimum: number, message: string, maximum: number) {
  return string.min(minimum, message).max(maximum, `Use at most ${maximum} characters`);
}

/** An optional field: absent, null and '' all mean absent. */
export function optional<T extends z.ZodType>(schema: T) {
  const absent = z.union([z.literal(''), z.null()]).transform(() => undefined);
  return z.union([absent, schema], { error: messageOfSchema }).optional();
}

/** An optional field of a change: if absent, the stored value stays; null and '' clear it, and parse to null. */
export function clearable<T extends z.ZodType>(schema: T) {
  return z.union([z.literal('').transform(() => null), z.null(), schema], { error: messageOfSchema }).optional();
}

/** The message of a union's last option: the other options only stand for an absent value. */
function messageOfSchema({ errors }: { errors?: readonly (readonly { message?: string }[])[] }): string | undefined {
  return errors?.at(-1)?.[0]?.message;
}

/** A row's version counter, sent back for comparison. */
export const version = z.int().min(1);

/** A page number, counted from 1. */
export const page = z.int().min(1).max(10_000_000).default(1);

/** The number of rows of a page. */
export const size = z.int().min(1).max(100).default(PAGE_SIZE);

/** The body of a list that has pages but no filters. */
export const pageBody = z.strictObject({ page, size }).prefault({});
export type PageBody = z.output<typeof pageBody>;

/** The search phrase of a list. */
export const searchPhrase = z.string().trim().max(100).regex(PRINTABLE, UNPRINTABLE).default('');

/** The row after which a list continues; absent for its start. */
export const afterQuery = z.strictObject({ after: tag.optional() });
export type AfterQuery = z.output<typeof afterQuery>;

/** The number of all rows, on the first row of a page. */
export const total = z.int().min(0).optional();

/** An option of a select. */
export const option = z.strictObject({ id: z.int(), name: z.string() });
export type Option = z.output<typeof option>;
