import type { InjectOptions } from 'fastify';
import { Secret } from 'otpauth';
import { type Answer, callerFrom, type TestApp, type TestCaller } from '#testing/test-app.ts';

/** All secrets of a run, and the search for them. */

export interface KnownSecret {
  readonly kind: string;
  readonly value: string;
}

/** The kind of a secret, and where it was found. */
export interface Leak {
  readonly kind: string;
  readonly where: string;
}

/** The secrets in replies, by field. */
const HANDED_OVER = { userTag: 'handle', tag: 'handle', handle: 'handle', secret: 'second factor' } as const;

/** The secrets of a run; those in replies and cookies are added automatically. */
export class SecretLedger {
  readonly #known = new Map<string, KnownSecret>();
  /** Known secrets found in the replies of failures. */
  readonly told: Leak[] = [];

  add(kind: string, value: string): string {
    this.#known.set(value, { kind, value });
    return value;
  }

  get all(): readonly KnownSecret[] {
    return [...this.#known.values()];
  }

  /** A caller whose cookies and replies are added; failures are searched first. */
  watch(caller: TestCaller): TestCaller {
    const call = async (options: InjectOptions & { readonly url: string }): Promise<Answer> => {
      const answer = await caller.call(options);
      if (answer.status >= 400) this.told.push(...leaksIn(this.all, `the answer of ${options.url}`, answer.raw));
      this.#note(answer.body);
      for (const token of caller.cookies.values()) this.add('cookie', token);
      return answer;
    };
    return callerFrom(caller.cookies, call);
  }

  #note(body: unknown): void {
    if (typeof body !== 'object' || body === null) return;
    for (const [name, value] of Object.entries(body)) {
      // Messages about fields, keyed by the field's name.
      if (name === 'fields') continue;
      if (name === 'recoveryCodes' && Array.isArray(value)) for (const code of value) this.#recoveryCode(String(code));
      else if (typeof value === 'object') this.#note(value);
      else if (typeof value === 'string' && isHandedOver(name, value)) this.add(HANDED_OVER[name], value);
    }
  }

  #recoveryCode(code: string): void {
    this.add('recovery code', code);
    this.add('recovery code', code.replace('-', ''));
  }
}

function isHandedOver(name: string, value: string): name is keyof typeof HANDED_OVER {
  // Tags of people and invoices are UUIDs, not secrets.
  return name in HANDED_OVER && !/^[0-9a-f-]{36}$/.test(value);
}

/** The cost parameters in a password's hash, because a code may equal one of the numbers. */
const HASH_COST = /\$argon2id\$v=\d+\$m=\d+,t=\d+,p=\d+/g;

/** The secrets in a text or in bytes: in any letter case, as bytes, in hex and in base64. */
export function leaksIn(secrets: readonly KnownSecret[], where: string, found: string | Buffer): Leak[] {
  const bytes = Buffer.isBuffer(found) ? found : Buffer.from(found);
  const text = bytes.toString('latin1').replaceAll(HASH_COST, '');
  return secrets.filter((secret) => isIn(secret, text, bytes)).map(({ kind }) => ({ kind, where }));
}

function isIn({ kind, value }: KnownSecret, text: string, bytes: Buffer): boolean {
  // Four to six digits count only as a whole number, not as part of a time or a tag.
  if (/^\d{4,6}$/.test(value)) return new RegExp(`(?<![\\w.:+-])${value}(?![\\w:+-]|\\.\\d)`).test(text);
  const raw = kind === 'second factor' ? Buffer.from(Secret.fromBase32(value).bytes) : rawToken(value);
  const written = Buffer.from(value);
  if (text.toLowerCase().includes(value.toLowerCase())) return true;
  if ([written.toString('hex'), written.toString('base64')].some((one) => text.includes(one))) return true;
  return raw !== undefined && (bytes.includes(raw) || text.includes(raw.toString('hex')));
}

/** The 32 bytes of a token. */
function rawToken(value: string): Buffer | undefined {
  return /^[\w-]{43}$/.test(value) ? Buffer.from(value, 'base64url') : undefined;
}

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

/** Every column that can hold text, JSON or bytes, including the job queue's. */
export async function columnsOf(app: TestApp): Promise<readonly Column[]> {
  const { rows } = await app.platform.pool.query<Column>(
    `select format('%I.%I', n.nspname, c.relname) as "table", a.attname as "column", t.typname as "type"
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     join pg_type t on t.oid = a.atttypid
     where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped and n.nspname not in ('pg_catalog', 'information_schema')
     and t.typname in ('text', 'varchar', 'citext', 'bpchar', 'name', 'json', 'jsonb', 'bytea', '_text', '_varchar', '_bytea')
     order by 1, 2`,
  );
  return rows;
}

/** The secrets in any row of any of these columns. */
export async function leaksInDatabase(
  app: TestApp,
  secrets: readonly KnownSecret[],
): Promise<{ leaks: Leak[]; cells: number }> {
  const leaks: Leak[] = [];
  let cells = 0;
  for (const { table, column, type } of await columnsOf(app)) {
    const value = type === 'bytea' ? `"${column}"` : `"${column}"::text`;
    const { rows } = await app.database.owner.pool.query<{ value: string | Buffer }>(
      `select ${value} as value from ${table} where "${column}" is not null`,
    );
    cells += rows.length;
    for (const row of rows) leaks.push(...leaksIn(secrets, `${table}.${column}`, row.value));
  }
  return { leaks, cells };
}
