import { isIP, isIPv4 } from 'node:net';
import { z } from 'zod';
import { EMAIL_PATTERN } from '#contract/accounts/username.ts';
import { hostUrls } from '#server/platform/database-hosts.ts';

/** What stops the start: one sentence that says which setting is wrong and what it takes. */
export class ConfigError extends Error {}

const emptyAsAbsent = (value: unknown): unknown => (value === '' ? undefined : value);

function setting<T extends z.ZodType>(schema: T) {
  return z.preprocess(emptyAsAbsent, schema);
}

function integer(minimum: number, maximum: number) {
  const message = `a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .pipe(z.int(message).min(minimum, message).max(maximum, message));
}

function url(protocols: readonly string[], example: string, addressesIn = (text: string) => [text]) {
  const message = `an address such as ${example}`;
  const isOne = (text: string): boolean => URL.canParse(text) && protocols.includes(new URL(text).protocol);
  return z.string().refine((text) => addressesIn(text).every(isOne), message);
}

/** Amounts by currency, such as UGX:20000000,USD:5000; parses to minor units. */
function amounts(fallback: string) {
  const message = 'amounts by currency in whole units, such as UGX:20000000,USD:5000';
  const list = z
    .string()
    .regex(/^[A-Z]{3}:\d{1,12}(,[A-Z]{3}:\d{1,12})*$/, message)
    .transform((text) => {
      const pairs = text.split(',').map((pair) => pair.split(':'));
      return new Map(pairs.map(([currency = '', units]) => [currency, Number(units) * MINOR_PER_UNIT]));
    });
  return setting(list.prefault(fallback));
}

const MINOR_PER_UNIT = 100;
const HOUR_MS = 60 * 60 * 1000;
/** A proxy that asks every 2 s, and believes the second refusal. */
const PRODUCTION_DRAIN_SECONDS = 5;
/** Longer than a sign-up, a wrong login or a reset takes, password hashing and all, on a machine that is not overloaded. */
const ANSWER_STEP_MS = 50;

/** A phone number as it is written: digits, spaces, and perhaps a plus. */
const SUPPORT_PHONE_PATTERN = /^\+?\d(?: ?\d){5,14}$/;

/** What Fastify takes besides addresses. */
const ADDRESS_GROUPS: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

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

const environment = z.object({
  NODE_ENV: setting(z.enum(['development', 'test', 'production'], 'development or production').default('development')),
  PORT: setting(integer(0, 65_535).default(3000)),
  HOST: setting(z.string().optional()),
  DATA_DIR: setting(z.string().default('./data')),
  DATABASE_URL: setting(
    url(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/kasente', hostUrls).optional(),
  ),
  EMBEDDED_DATABASE: setting(z.enum(['allow'], "'allow', or nothing").optional()),
  STORAGE_URL: setting(url(['s3:'], 's3://bucket/prefix?region=af-south-1').optional()),
  CLAMAV_URL: setting(url(['tcp:'], 'tcp://localhost:3310').optional()),
  SMTP_URL: setting(url(['smtp:', 'smtps:'], 'smtps://user:password@mail.example.com').optional()),
  SMTP_FROM: setting(z.string().default('Kasente <no-reply@kasente.test>')),
  SMS_USERNAME: setting(z.string().optional()),
  SMS_API_KEY: setting(z.string().optional()),
  SMS_SENDER: setting(z.string().optional()),
  SMS_URL: setting(
    url(['http:', 'https:'], 'https://api.africastalking.com').default('https://api.africastalking.com'),
  ),
  PUBLIC_URL: setting(url(['http:', 'https:'], 'https://kasente.example').optional()),
  SESSION_IDLE_MINUTES: setting(integer(1, 720).default(15)),
  DRAIN_SECONDS: setting(integer(0, 60).optional()),
  SECOND_FACTOR: setting(z.enum(['required'], "'required', or nothing").optional()),
  SIGN_UP_TEXTS_A_DAY: setting(integer(0, 1_000_000).default(2000)),
  DECISION_TARGET_HOURS: setting(integer(1, 90).default(4)),
  SECOND_APPROVAL_ABOVE: amounts('UGX:20000000,USD:5000'),
  FUNDING_LIMIT_START: amounts('UGX:50000000,USD:15000'),
  FUNDING_LIMIT_MAXIMUM: amounts('UGX:500000000,USD:150000'),
  FUNDING_LIMIT_GROWTH_AFTER: setting(integer(1, 100).default(3)),
  FUNDING_LIMIT_GROWTH_PERCENT: setting(integer(1, 100).default(25)),
  TRUST_PROXY: setting(
    z
      .string()
      .refine(isTrustProxy, "true, the number of proxies in front, or their addresses such as '10.0.0.1, 10.1.0.0/16'")
      .optional(),
  ),
  SUPPORT_EMAIL: setting(z.string().regex(EMAIL_PATTERN, 'an e-mail address such as help@kasente.example').optional()),
  SUPPORT_PHONE: setting(z.string().regex(SUPPORT_PHONE_PATTERN, 'a phone number such as +256 700 000000').optional()),
  SEED: setting(z.enum(['none'], "'none', or nothing").optional()),
  SECRET_KEY: setting(z.string().min(32, 'at least 32 characters').optional()),
  SECRET_KEY_PREVIOUS: setting(z.string().min(32, 'at least 32 characters').optional()),
  LOG_LEVEL: setting(
    z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug'], 'silent, error, warn, info or debug').optional(),
  ),
});

type Environment = z.output<typeof environment>;

/** Minor units by currency code. */
export type AmountsByCurrency = ReadonlyMap<string, number>;

/** Funding limits and the rule by which they grow; a currency without an amount has a limit of 0. */
export interface LimitSettings {
  readonly start: AmountsByCurrency;
  readonly maximum: AmountsByCurrency;
  /** How many applications settled on time since the limit was last set earn a higher one. */
  readonly growthAfter: number;
  readonly growthPercent: number;
}

/** The settings of a server (decisions, 'Running'); `.env.example` explains each. */
export interface Config {
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly storageUrl: string | undefined;
  /** A ClamAV daemon that every upload is shown to. */
  readonly clamavUrl: string | undefined;
  readonly smtp: { readonly url: string; readonly from: string } | undefined;
  readonly sms:
    | { readonly url: string; readonly username: string; readonly apiKey: string; readonly sender: string | undefined }
    | undefined;
  /** Where people reach the application; undefined means wherever the request came to. */
  readonly publicUrl: string | undefined;
  readonly sessionIdleMinutes: number;
  /** How long whoever sends requests needs to notice that this server is about to end. */
  readonly drainMs: number;
  /** Whether staff may do nothing before they have set up a second factor. */
  readonly secondFactorRequired: boolean;
  /** How many text messages sign-ups may send in a day, over everybody. */
  readonly signUpTextsADay: number;
  /** Answers that must not tell who has an account come at multiples of this; 0 in tests, which would wait for it. */
  readonly answerStepMs: number;
  /** What is promised: a decision within this working time, in milliseconds. */
  readonly decisionTargetMs: number;
  /** The advance above which two officers must approve, by currency; a currency without one always needs two. */
  readonly secondApprovalAbove: AmountsByCurrency;
  readonly limits: LimitSettings;
  readonly trustProxy: string | boolean | ((address: string, hop: number) => boolean);
  /** How people reach whoever runs this server; null where it is not said. */
  readonly support: { readonly email: string | null; readonly phone: string | null };
  readonly seed: boolean;
  readonly secretKey: string | undefined;
  /** The secret before it was changed: what was sealed with it is still read. */
  readonly previousSecretKey: string | undefined;
  readonly logLevel: NonNullable<Environment['LOG_LEVEL']>;
}

/** Reads the settings from the environment; throws {@link ConfigError} naming the first wrong one. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const parsed = environment.safeParse(env);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ConfigError(`${String(issue?.path[0])} must be ${issue?.message}.`);
  }
  const settings = parsed.data;
  const production = settings.NODE_ENV === 'production';
  refuseImpossible(settings, production);
  return {
    production,
    port: settings.PORT,
    host: settings.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    dataDir: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL,
    storageUrl: settings.STORAGE_URL,
    clamavUrl: settings.CLAMAV_URL,
    smtp: settings.SMTP_URL === undefined ? undefined : { url: settings.SMTP_URL, from: settings.SMTP_FROM },
    sms: readSms(settings),
    publicUrl: settings.PUBLIC_URL?.replace(/\/+$/, ''),
    sessionIdleMinutes: settings.SESSION_IDLE_MINUTES,
    drainMs: (settings.DRAIN_SECONDS ?? (production ? PRODUCTION_DRAIN_SECONDS : 0)) * 1000,
    secondFactorRequired: production || settings.SECOND_FACTOR === 'required',
    signUpTextsADay: settings.SIGN_UP_TEXTS_A_DAY,
    answerStepMs: settings.NODE_ENV === 'test' ? 0 : ANSWER_STEP_MS,
    decisionTargetMs: settings.DECISION_TARGET_HOURS * HOUR_MS,
    secondApprovalAbove: settings.SECOND_APPROVAL_ABOVE,
    limits: {
      start: settings.FUNDING_LIMIT_START,
      maximum: settings.FUNDING_LIMIT_MAXIMUM,
      growthAfter: settings.FUNDING_LIMIT_GROWTH_AFTER,
      growthPercent: settings.FUNDING_LIMIT_GROWTH_PERCENT,
    },
    trustProxy: readTrustProxy(settings.TRUST_PROXY),
    support: {
      email: settings.SUPPORT_EMAIL ?? (production ? null : 'help@kasente.test'),
      phone: settings.SUPPORT_PHONE ?? null,
    },
    seed: !production && settings.DATABASE_URL === undefined && settings.SEED !== 'none',
    secretKey: settings.SECRET_KEY,
    previousSecretKey: settings.SECRET_KEY_PREVIOUS,
    logLevel: settings.LOG_LEVEL ?? (production ? 'info' : 'warn'),
  };
}

function refuseImpossible(settings: Environment, production: boolean): void {
  if (production && settings.DATABASE_URL === undefined && settings.EMBEDDED_DATABASE !== 'allow') {
    throw new ConfigError(
      'DATABASE_URL must be set in production; EMBEDDED_DATABASE=allow runs the embedded database instead, where one machine is meant.',
    );
  }
  refuseUnsafe(settings, production);
  if (production && settings.PUBLIC_URL === undefined) {
    throw new ConfigError(
      'PUBLIC_URL must be set in production, such as https://kasente.example: links in messages begin with it.',
    );
  }
}

/** What would work and give people's sessions or second factors away (docs/decisions/0022-browser-walls.md). */
function refuseUnsafe({ PUBLIC_URL, DATABASE_URL, SECRET_KEY }: Environment, production: boolean): void {
  if (!production) return;
  if (PUBLIC_URL !== undefined && !isPrivateAddress(new URL(PUBLIC_URL))) {
    throw new ConfigError(
      'PUBLIC_URL must begin with https:// in production: without it sessions travel in the clear.',
    );
  }
  if (DATABASE_URL !== undefined && SECRET_KEY === undefined) {
    throw new ConfigError(
      'SECRET_KEY must be set in production with DATABASE_URL: a server with another one, or one of its own, reads no second factor.',
    );
  }
}

/** Nobody listens on the way: it is over TLS, or never leaves this machine. */
function isPrivateAddress({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function readSms(settings: Environment): Config['sms'] {
  const { SMS_USERNAME: username, SMS_API_KEY: apiKey, SMS_SENDER: sender, SMS_URL: url } = settings;
  if (username === undefined && apiKey === undefined) return undefined;
  if (username === undefined || apiKey === undefined) {
    throw new ConfigError('SMS_USERNAME and SMS_API_KEY must be set together.');
  }
  return { url, username, apiKey, sender };
}

/** 'true', a number of proxies, or a list of their addresses, as Fastify takes it. */
function readTrustProxy(value: string | undefined): Config['trustProxy'] {
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  const proxies = Number(value);
  return /^\d+$/.test(value) ? (_address, hop) => hop < proxies : value;
}
