import naughty from 'big-list-of-naughty-strings' with { type: 'json' };
import fc from 'fast-check';
import type { Schema } from './openapi-operations.ts';

/** Values generated from a schema, most of them valid, and hostile replacements. */

/** Existing tags and ids, own and foreign, by kind. */
export interface Known {
  readonly tags: Readonly<Record<TagKind, readonly string[]>>;
  readonly businessIds: readonly number[];
  readonly buyerIds: readonly number[];
  readonly usernames: readonly string[];
}

export type TagKind = 'cases' | 'documents' | 'businesses' | 'sessions' | 'entries' | 'people';

/** The kind of row that a path or a key refers to; an invoice by default. */
const KINDS: readonly (readonly [RegExp, TagKind])[] = [
  [/\/files\/(view|\{tag)/, 'documents'],
  [/session/i, 'sessions'],
  [/entr|reverse|ledger/i, 'entries'],
  [/person|officer|userTag|\/roles|second_factor/i, 'people'],
  [/business|limits/i, 'businesses'],
];

function kindOf(about: string): TagKind {
  return KINDS.find(([pattern]) => pattern.test(about))?.[1] ?? 'cases';
}

export const naughtyStrings: readonly string[] = naughty;

const OTHER_STRINGS = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff tail',
  '\u202e evil',
  `${'9'.repeat(400)}`,
  'x'.repeat(5000),
  '../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  "'; drop table persons; --",
  "' or '1'='1",
  '{{7*7}}',
  '#{7*7}',
  '2026-02-30',
  '0000-00-00',
  '9999-12-31',
  '99999999999999999999',
  '1e309',
  '-0',
];

const NUMBERS = [
  0,
  -0,
  -1,
  1,
  0.1,
  1e-7,
  0.005,
  2 ** 31,
  2 ** 31 - 1,
  2 ** 53,
  -(2 ** 63),
  1e15,
  1e21,
  1e308,
  9999999999999.99,
];

/** Keys that no body has: other columns of rows, and properties that every object inherits. */
export const EXTRA_KEYS = [
  'id',
  'tag',
  'status',
  'price',
  'role',
  'roles',
  'perms',
  'permissions',
  'isAdmin',
  'businessId',
  'business_id',
  'businessTag',
  'ownerId',
  'userTag',
  'created_at',
  'feeRateBps',
  'discountFee',
  'advance',
  'submitted_at',
  'password_hash',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
];

export const hostileString: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...naughtyStrings),
  fc.constantFrom(...OTHER_STRINGS),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** The object with its own property of that name, even for `__proto__`. */
export function withKey(object: object, key: string, value: unknown): object {
  return Object.defineProperty({ ...object }, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Any JSON value. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileString },
  { weight: 2, arbitrary: fc.constantFrom(...NUMBERS) },
  fc.constantFrom(null, true, false, [], {}, [[]], [null], { $gt: '' }, { length: 1e9 }),
  fc.constantFrom(...EXTRA_KEYS).map((key) => withKey({}, key, { perms: ['KADMIN'], isAdmin: true })),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Values that exist in the test's world, so that some requests pass validation. */
const HINTS: Readonly<Record<string, readonly unknown[]>> = {
  amount: [1_000_000, 801_000, 900_000, 5000],
  amountAppliedFor: [900_000, 100_000],
  feesCharged: [99_000, 11_000, ''],
  amountReceived: [801_000, 89_000, ''],
  financingPeriodId: [1, 2, 3],
  currencyId: [1, 2],
  industryId: [1, 2],
  districtId: [1, 2],
  typeId: [1, 2, 3, 4, 5, 6],
  version: [1, 2, 3],
  page: [1, 2],
  limit: [60_000_000, 1],
  password: ['Kasente-demo-1', 'wrong'],
  newPassword: ['Another-pass-9'],
  pin: ['12345'],
  code: ['123456'],
};

/** A value that the schema allows, as far as one can be generated. */
export function valueFor(schema: Schema, known: Known, name = '', path = ''): fc.Arbitrary<unknown> {
  const hints = HINTS[name] ?? hintsOf(known, name);
  if (hints !== undefined) return fc.constantFrom(...hints);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((way) => valueFor(way, known, name, path)));
  switch (schema.type) {
    case 'string':
      return stringOf(schema, known, `${path} ${name}`);
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valueFor(schema.items ?? {}, known, '', path), { maxLength: Math.min(schema.maxItems ?? 3, 3) });
    case 'object':
      return objectOf(schema, known, path);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function hintsOf({ businessIds, buyerIds, usernames }: Known, name: string): readonly unknown[] | undefined {
  if (name === 'buyerId') return buyerIds;
  if (name === 'businessId') return businessIds;
  return name === 'username' ? usernames : undefined;
}

function numberOf({ minimum = 0, maximum = 2_000_000_000 }: Schema): fc.Arbitrary<number> {
  return fc.integer({ min: Math.max(minimum, -2_000_000_000), max: Math.min(maximum, 2_000_000_000) });
}

function stringOf(schema: Schema, { tags }: Known, about: string): fc.Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = 60 } = schema;
  if (format === 'uuid') {
    const right = fc.constantFrom(...tags[kindOf(about)]);
    const any = fc.constantFrom(...Object.values(tags).flat());
    return fc.oneof(
      { weight: 8, arbitrary: right },
      { weight: 1, arbitrary: any },
      { weight: 1, arbitrary: fc.uuid() },
    );
  }
  if (format === 'date') return fc.constantFrom('2026-11-20', '2026-01-05', '2024-02-29');
  if (pattern === '^07\\d{8}$') return fc.stringMatching(/^07\d{8}$/);
  if (pattern?.startsWith('^\\d') || pattern?.startsWith('^0')) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ minLength, maxLength: Math.min(maxLength, 60), unit: 'grapheme' });
}

function objectOf({ properties = {}, required = [] }: Schema, known: Known, path: string): fc.Arbitrary<object> {
  const model = Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => [key, valueFor(schema, known, key, path)]),
  );
  return fc.record(model, { requiredKeys: [...required] });
}
