import fc from 'fast-check';
import { EXTRA_KEYS, hostileString, hostileValue, type Known, valueFor, withKey } from './fuzz-values.ts';
import type { Operation, Schema } from './openapi-operations.ts';

/** Requests for an operation: valid ones, ones with one fault, and bodies that are not JSON. */

export interface FuzzRequest {
  readonly operation: Operation;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string | Buffer | undefined;
}

interface Body {
  readonly type: string;
  readonly payload: string | Buffer;
}

/** A request for this operation. */
export function requestOf(operation: Operation, known: Known): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({ url: urlOf(operation, known), body: bodyOf(operation, known), headers: headersOf() })
    .map(({ url, body, headers }) => ({
      operation,
      url,
      headers: body === undefined ? headers : { 'content-type': body.type, ...headers },
      payload: body?.payload,
    }));
}

function urlOf({ path, parameters }: Operation, known: Known): fc.Arbitrary<string> {
  const valueIn = (schema: Schema, name: string) =>
    fc.oneof(
      { weight: 9, arbitrary: valueFor(schema, known, name, path).map((value) => String(value)) },
      { weight: 1, arbitrary: hostileString },
    );
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  return fc
    .record({
      path: fc.tuple(...inPath.map(({ schema, name }) => valueIn(schema, name))),
      query: fc.tuple(...inQuery.map(({ schema, name }) => fc.option(valueIn(schema, name), { freq: 8 }))),
      more: fc.oneof({ weight: 8, arbitrary: fc.constant('') }, { weight: 1, arbitrary: extraQuery }),
    })
    .map(({ path: values, query, more }) => {
      const filled = inPath.reduce(
        (text, { name }, index) => text.replace(`{${name}}`, () => encoded(values[index] ?? '')),
        path,
      );
      const asked = inQuery.flatMap(({ name }, index) => {
        const value = query[index];
        return value === null || value === undefined ? [] : [`${name}=${encoded(value)}`];
      });
      const text = [...asked, ...(more === '' ? [] : [more])].join('&');
      return text === '' ? filled : `${filled}?${text}`;
    });
}

/** Repeated keys, object keys, and malformed queries. */
const extraQuery = fc.oneof(
  fc.constantFrom('__proto__[x]=1', 'constructor=1', 'tag=1&tag=2', 'tag[]=1', '%', '%ff=%fe', '=', '&&', 'a%00b=1'),
  fc
    .record({ key: fc.constantFrom(...EXTRA_KEYS), value: hostileString })
    .map(({ key, value }) => `${key}=${encoded(value)}`),
);

/** Lone surrogates cannot be encoded, so their bytes are sent. */
function encoded(text: string): string {
  return text.isWellFormed()
    ? encodeURIComponent(text)
    : [...Buffer.from(text, 'utf16le')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function headersOf(): fc.Arbitrary<Readonly<Record<string, string>>> {
  const odd = fc.constantFrom(
    'idempotency-key',
    'x-background',
    'x-requested-with',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-http-method-override',
    'accept',
    'accept-encoding',
    'content-type',
    'content-encoding',
    'cookie',
    'if-none-match',
    'range',
    'origin',
    'user-agent',
  );
  const some = fc.record({ name: odd, value: hostileString }).map(({ name, value }) => ({ [name]: inHeader(value) }));
  return fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: some });
}

/** Reduces a text to a valid header value: one line of Latin-1. */
function inHeader(value: string): string {
  return Buffer.from(value.replaceAll(/[^\x20-\x7e\u00a0-\u00ff]/g, '?').slice(0, 1000), 'latin1').toString('latin1');
}

function bodyOf({ bodies, path }: Operation, known: Known): fc.Arbitrary<Body | undefined> {
  const none = fc.constant(undefined);
  const raw: fc.Arbitrary<Body | undefined> = fc.oneof(rawBody, none);
  const ways = [...bodies].map(([type, schema]) => {
    if (type === 'application/octet-stream') return bytesOf(type);
    return type === 'multipart/form-data' ? formOf(schema, known) : jsonOf(type, schema, known, path);
  });
  if (ways.length === 0) return fc.oneof({ weight: 9, arbitrary: none }, { weight: 1, arbitrary: raw });
  return fc.oneof({ weight: 9, arbitrary: fc.oneof(...ways) }, { weight: 1, arbitrary: raw });
}

/** The bytes of one part of an uploaded file. */
function bytesOf(type: string): fc.Arbitrary<Body> {
  return fc.uint8Array({ maxLength: 1000 }).map((bytes) => ({ type, payload: Buffer.from(bytes) }));
}

function jsonOf(type: string, schema: Schema, known: Known, path: string): fc.Arbitrary<Body> {
  const right = valueFor(schema, known, '', path);
  return fc
    .oneof(
      { weight: 4, arbitrary: right },
      {
        weight: 4,
        arbitrary: fc
          .record({ right, where: fc.nat(), fault })
          .map((made) => spoiled(made.right, made.where, made.fault)),
      },
      { weight: 1, arbitrary: hostileValue },
    )
    .map((value) => ({ type, payload: JSON.stringify(value) ?? '' }));
}

interface Fault {
  readonly kind: 'replace' | 'add' | 'remove';
  readonly key: string;
  readonly value: unknown;
}

const fault: fc.Arbitrary<Fault> = fc.record({
  kind: fc.constantFrom('replace', 'replace', 'add', 'remove'),
  key: fc.constantFrom(...EXTRA_KEYS),
  value: hostileValue,
});

/** The value with one fault, somewhere inside it. */
function spoiled(value: unknown, where: number, wrong: Fault): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong.value;
  const entries = Object.entries(value);
  if (wrong.kind === 'add' || entries.length === 0) return withKey(value, wrong.key, wrong.value);
  const [key, inner] = entries[where % entries.length] ?? ['', undefined];
  if (typeof inner === 'object' && inner !== null && where % 3 > 0)
    return { ...value, [key]: spoiled(inner, where >> 2, wrong) };
  if (wrong.kind === 'remove') return Object.fromEntries(entries.filter(([name]) => name !== key));
  return { ...value, [key]: wrong.value };
}

const DEEP = 5000;
/** Bodies that do not match their type. */
const rawBody: fc.Arbitrary<Body> = fc
  .record({
    type: fc.oneof(
      { weight: 3, arbitrary: fc.constant('application/json') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data',
          'multipart/form-data; boundary=x',
          'application/xml',
          'application/json; charset=utf-16',
          'application/csp-report',
          'x',
          '',
        ),
      },
    ),
    payload: fc.oneof(
      fc
        .constantFrom<readonly (string | Buffer)[]>(
          ['{'],
          ['{"a":1,"a":2}'],
          ['{"username":"0700000001","username":"x","password":"y","password":"z"}'],
          ['{"amount":1e400,"page":1E+9999}'],
          [`${'['.repeat(DEEP)}${']'.repeat(DEEP)}`],
          [`${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`],
          [Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
          [Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d])],
          [Buffer.from('{}', 'utf16le')],
          ['{"__proto__":{"perms":["KADMIN"]}}'],
          ['{"constructor":{"prototype":{"x":1}}}'],
          ['null'],
          ['"'],
          ['\u0000'],
          ['{"a":NaN}'],
          ['{"\\u0000":"\\u0000","\\ud800":"\\udfff"}'],
          ['x'.repeat(70_000)],
          ['--x\r\ncontent-disposition: form-data; name="file"; filename="../../a.pdf"\r\n\r\nx\r\n--x'],
          ['--x\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\nx\r\n--x--\r\n'],
        )
        .map(([payload = '']) => payload),
      fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
      hostileString,
    ),
  })
  .map(({ type, payload }) => ({ type, payload }));

/** A form with fields, a file and perhaps a wrong field. */
function formOf(schema: Schema, known: Known): fc.Arbitrary<Body> {
  const { file: _, ...properties } = schema.properties ?? {};
  return fc
    .record({
      fields: valueFor(
        { ...schema, properties, required: (schema.required ?? []).filter((name) => name !== 'file') },
        known,
      ),
      wrong: fc.option(fc.tuple(fc.constantFrom('invoiceTag', 'typeId', ...EXTRA_KEYS), hostileString)),
      content: fc.oneof(fc.constantFrom('%PDF-1.4\n', 'GIF89a', '<svg onload=alert(1)>', ''), hostileString),
      fileName: hostileString,
    })
    .map(({ fields, wrong, content, fileName }) => {
      const pairs = [...Object.entries(fields ?? {}), ...(wrong === null ? [] : [wrong])];
      const parts = pairs.map(([name, value]) => part(`name="${name}"`, String(value)));
      const file = part(`name="file"; filename="${inHeader(fileName)}"\r\ncontent-type: application/pdf`, content);
      return {
        type: 'multipart/form-data; boundary=fuzz',
        payload: Buffer.from(`${parts.join('')}${file}--fuzz--\r\n`),
      };
    });
}

function part(disposition: string, content: string): string {
  return `--fuzz\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
}
