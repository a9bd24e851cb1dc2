import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { type DestinationStream, pino } from 'pino';
import { appVersion } from '#server/machine/version.ts';

export type Log = FastifyBaseLogger;

/** Keys whose values never reach the log, at any depth. */
const SECRET_KEYS = [
  'password',
  'newPassword',
  'pin',
  'otpTag',
  'userTag',
  'cookie',
  'authorization',
  'token',
  'handle',
  'secret',
  'recoveryCodes',
];

const KEYED = new RegExp(`"(?:${SECRET_KEYS.join('|')})":`);

/** Tokens of cookies, handles and links are 43 characters of base64url. Nothing else in the log has that form. */
const TOKEN = /(?<![\w-])[\w-]{43}(?![\w-])/g;
const PASSWORD_HASH = /\$argon2id?\$[\w+/=,$]+/g;
const CENSORED = '[secret]';

/**
 * Creates a structured log, on standard output by default. Secrets are censored by key, tokens and password hashes by
 * pattern, at any depth; errors are reduced by {@link describeError}.
 */
export function createLog(level: string, destination: DestinationStream = pino.destination(1)): Log {
  const options = {
    level,
    serializers: { err: describeError },
    hooks: { streamWrite: censored },
    base: { version: appVersion },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return pino(options, destination);
}

/**
 * Censors the finished line. We scan the line because pino's `redact` takes longer than the rest of a line, and knows
 * only fixed paths.
 */
function censored(line: string): string {
  const shown = line.replace(TOKEN, CENSORED).replace(PASSWORD_HASH, CENSORED);
  return KEYED.test(shown) ? `${JSON.stringify(JSON.parse(shown), censorKeyed)}\n` : shown;
}

function censorKeyed(key: string, value: unknown): unknown {
  return SECRET_KEYS.includes(key) ? CENSORED : value;
}

/**
 * An error for the log, reduced to safe fields: libraries attach data to errors, and PostgreSQL quotes rows and values.
 */
interface DescribedError {
  readonly type?: string;
  readonly message: string;
  readonly code?: string;
  readonly constraint?: string;
  readonly table?: string;
  readonly stack?: string;
  readonly cause?: DescribedError;
}

const DEEPEST_CAUSE = 5;

function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return describeThrown(error);
  const { name, message, stack = '', cause } = error;
  const told = error instanceof pg.DatabaseError ? withoutValues(message) : message;
  return {
    type: name,
    message: told,
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(error instanceof pg.DatabaseError ? whereOf(error) : {}),
    stack: stack.replace(message, () => told),
    ...(cause === undefined || depth === DEEPEST_CAUSE ? {} : { cause: describeError(cause, depth + 1) }),
  };
}

/**
 * Describes a thrown value that is no Error: a text, or a plain object with an error's fields, as pg-boss makes them,
 * possibly from a PostgreSQL error.
 */
function describeThrown(thrown: unknown): DescribedError {
  if (typeof thrown !== 'object' || thrown === null) return { message: String(thrown) };
  const { message, stack, code }: { message?: unknown; stack?: unknown; code?: unknown } = thrown;
  if (typeof message !== 'string') return { message: `an object with ${Object.keys(thrown).join(', ') || 'nothing'}` };
  const told = withoutValues(message);
  return {
    ...(typeof stack === 'string' ? { type: /^(\w+)/.exec(stack)?.[1] ?? 'Error' } : {}),
    message: told,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof stack === 'string' ? { stack: stack.replace(message, () => told) } : {}),
  };
}

/**
 * Removes quoted values, as in: invalid input syntax for type integer: "what was typed". Names of tables and columns
 * come earlier in the message.
 */
function withoutValues(message: string): string {
  return message.replace(/: ".*$/s, ': …');
}

function whereOf({ constraint, table }: pg.DatabaseError): Pick<DescribedError, 'constraint' | 'table'> {
  return { ...(constraint === undefined ? {} : { constraint }), ...(table === undefined ? {} : { table }) };
}
