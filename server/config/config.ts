import { z } from 'zod';
import { EMAIL_PATTERN } from '#contract/accounts/username.ts';
import type { Contact } from '#contract/contact.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time/durations.ts';
import { hostUrls } from '#server/db/connect/database-hosts.ts';
import { LISTEN_PATTERN, type ListenAddress, readListenAddress } from '#server/http/listen-address.ts';
import { isLoopbackName } from '#server/installation/this-machine.ts';
import { readTracing, type TracingProtocol, tracingEnvironment } from '#server/observability/tracing-settings.ts';
import { findMistyped } from './near-names.ts';
import { amounts, integer, setting, trustedProxy, witness } from './setting-kinds.ts';
import { address, bucketParameters, databaseParameters, origin } from './setting-urls.ts';

/** What stops the start: one sentence that says which setting is wrong and what it takes. */
export class ConfigError extends Error {}

const MB = 1024 * 1024;
/** A proxy that asks every 2 s, and believes the second refusal. */
const PRODUCTION_DRAIN_SECONDS = 5;
/** Longer than a sign-up, a wrong login or a reset takes, password hashing and all, on a machine that is not overloaded. */
const ANSWER_STEP_MS = 50;

/** A phone number as it is written: digits, spaces, and perhaps a plus. */
const SUPPORT_PHONE_PATTERN = /^\+?\d(?: ?\d){5,14}$/;

function database(example: string) {
  return address({
    protocols: ['postgres:', 'postgresql:'],
    example,
    addressesIn: hostUrls,
    parameters: databaseParameters,
  });
}

const environment = z.object({
  NODE_ENV: setting(z.enum(['development', 'test', 'production'], 'development or production').default('development')),
  PORT: setting(integer(0, 65_535).default(3000)),
  HOST: setting(z.string().optional()),
  DATA_DIR: setting(z.string().default('./data')),
  DATABASE_URL: setting(database('postgres://user:password@host:5432/kasente').optional()),
  DATABASE_OWNER_URL: setting(database('postgres://owner:password@host:5432/kasente').optional()),
  EMBEDDED_DATABASE: setting(z.enum(['allow'], "'allow', or nothing").optional()),
  STORAGE_URL: setting(
    address({
      protocols: ['s3:'],
      example: 's3://bucket/prefix?region=af-south-1',
      parameters: bucketParameters,
    }).optional(),
  ),
  CLAMAV_URL: setting(address({ protocols: ['tcp:'], example: 'tcp://localhost:3310' }).optional()),
  SMTP_URL: setting(
    address({ protocols: ['smtp:', 'smtps:'], example: 'smtps://user:password@mail.example.com' }).optional(),
  ),
  SMTP_FROM: setting(z.string().default('Kasente <no-reply@kasente.test>')),
  SMS_USERNAME: setting(z.string().optional()),
  SMS_API_KEY: setting(z.string().optional()),
  SMS_SENDER: setting(z.string().optional()),
  SMS_URL: setting(
    address({ protocols: ['http:', 'https:'], example: 'https://api.africastalking.com' }).default(
      'https://api.africastalking.com',
    ),
  ),
  PUBLIC_URL: setting(origin.optional()),
  SESSION_IDLE_MINUTES: setting(integer(1, 720).default(15)),
  DRAIN_SECONDS: setting(integer(0, 60).optional()),
  SECOND_FACTOR: setting(z.enum(['required'], "'required', or nothing").optional()),
  STORAGE_QUOTA_MB: setting(integer(1, 1_000_000).default(2048)),
  SIGN_UP_TEXTS_A_DAY: setting(integer(0, 1_000_000).default(2000)),
  TEXTS_A_PERSON_AN_HOUR: setting(integer(1, 1000).default(6)),
  RESUBMIT_PAUSE_MINUTES: setting(integer(0, 1440).default(10)),
  ACTIVATION_TARGET_HOURS: setting(integer(1, 90).default(2)),
  DECISION_TARGET_HOURS: setting(integer(1, 90).default(4)),
  INVOICE_MAXIMUM_AGE_DAYS: setting(integer(1, 3650).default(365)),
  SECOND_APPROVAL_ABOVE: amounts('UGX:20000000,USD:5000'),
  NEW_OFFICER_HOURS: setting(integer(0, 720).default(24)),
  NEW_PERSON_DAYS: setting(integer(0, 365).default(30)),
  FUNDING_LIMIT_START: amounts('UGX:50000000,USD:15000'),
  FUNDING_LIMIT_MAXIMUM: amounts('UGX:500000000,USD:150000'),
  FUNDING_LIMIT_HIGHEST: amounts('UGX:2000000000,USD:600000'),
  FUNDING_LIMIT_ALONE_TIMES: setting(integer(1, 20).default(2)),
  FUNDING_LIMIT_GROWTH_AFTER: setting(integer(1, 100).default(3)),
  FUNDING_LIMIT_GROWTH_PERCENT: setting(integer(1, 100).default(25)),
  FUNDING_LIMIT_GROWTH_SIZE_PERCENT: setting(integer(0, 100).default(5)),
  FUNDING_LIMIT_GROWTH_DAYS: setting(integer(0, 90).default(7)),
  MINIMUM_ADVANCE: amounts('UGX:50000,USD:20'),
  TRUST_PROXY: setting(trustedProxy.optional()),
  SUPPORT_EMAIL: setting(z.string().regex(EMAIL_PATTERN, 'an email address such as help@kasente.example').optional()),
  SUPPORT_PHONE: setting(z.string().regex(SUPPORT_PHONE_PATTERN, 'a phone number such as +256 700 000000').optional()),
  SEED: setting(z.enum(['none'], "'none', or nothing").optional()),
  AUDIT_WITNESS: setting(witness.optional()),
  AUDIT_WITNESS_EMAIL: setting(
    z.string().regex(EMAIL_PATTERN, 'an email address such as audit@example.com').optional(),
  ),
  DEMONSTRATION: setting(z.enum(['others'], "'others', or nothing").optional()),
  METRICS_LISTEN: setting(
    z.string().regex(LISTEN_PATTERN, 'an address and a port such as 127.0.0.1:9464 or [::1]:9464').optional(),
  ),
  METRICS_TOKEN: setting(z.string().min(32, 'at least 32 characters').optional()),
  ...tracingEnvironment,
  SECRET_KEY: setting(z.string().min(32, 'at least 32 characters').optional()),
  SECRET_KEY_PREVIOUS: setting(z.string().min(32, 'at least 32 characters').optional()),
  SECRET_KEY_LOST: setting(
    z
      .string()
      .regex(/^[0-9a-f]{8}$/, 'the 8 characters that the refused start says')
      .optional(),
  ),
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
  /** Only settlements count whose advance was this share of the limit, and which were out so many days. */
  readonly growthSizePercent: number;
  readonly growthDays: number;
  /** No limit is above this; a currency without an amount has a limit of 0. */
  readonly highest: AmountsByCurrency;
  /** Above so many times the starting limit, two officers decide. */
  readonly aloneTimes: number;
}

/** The settings of a server (docs/decisions/0041-left-open.md); `.env.example` explains each. */
export interface Config {
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Whose login owns the tables, where `databaseUrl` names the server's own. */
  readonly databaseOwnerUrl: string | undefined;
  readonly storageUrl: string | undefined;
  /** A ClamAV daemon that every upload is shown to. */
  readonly clamavUrl: string | undefined;
  /** How many bytes the documents of one client may take. */
  readonly storageQuotaBytes: number;
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
  /** How many text messages one person's own acts send in an hour; the others wait. */
  readonly textsAPersonAnHour: number;
  /** How long after a withdrawal an invoice of the same number may be submitted again, in milliseconds. */
  readonly resubmitPauseMs: number;
  /** Answers that must not tell who has an account come at multiples of this; 0 in tests, which would wait for it. */
  readonly answerStepMs: number;
  /** Newcomers are told that most accounts are activated within so many working hours. */
  readonly activationTargetHours: number;
  /** What is promised: a decision within this working time, in milliseconds. */
  readonly decisionTargetMs: number;
  /** How old an invoice may be when it is saved. */
  readonly invoiceMaximumAgeDays: number;
  /** A client's exposure above which two officers must approve, by currency; one without an amount always needs two. */
  readonly secondApprovalAbove: AmountsByCurrency;
  /** The smallest advance that can be applied for; none in a currency without an amount. */
  readonly minimumAdvance: AmountsByCurrency;
  /** How long a new officer neither gives a second approval nor pays out. */
  readonly newOfficerMs: number;
  /** How long whoever let somebody act for a business does not decide alone on what that person submits. */
  readonly newPersonMs: number;
  readonly limits: LimitSettings;
  readonly trustProxy: string | boolean | ((address: string, hop: number) => boolean);
  /** How people reach whoever runs this server; null where it is not said. */
  readonly support: Contact;
  readonly seed: boolean;
  /** Where the seals of the audit log's anchors are told outside the database. */
  readonly auditWitness: string | undefined;
  /** Who gets the newest seal by e-mail once a day. */
  readonly auditWitnessEmail: string | undefined;
  /** A demonstration that other people may reach: its logins work for them, and nobody is shown its messages. */
  readonly demonstrationForOthers: boolean;
  /** Where metrics are answered besides the server's own port. */
  readonly metricsListen: ListenAddress | undefined;
  /** What Prometheus has to bring. */
  readonly metricsToken: string | undefined;
  /** How OpenTelemetry's traces are sent; undefined where none are wanted. */
  readonly tracing: TracingProtocol | undefined;
  readonly secretKey: string | undefined;
  /** The secret before it was changed: what was sealed with it is still read. */
  readonly previousSecretKey: string | undefined;
  /** That the secret which a start has asked for is lost, by that start's own word. */
  readonly secretKeyLost: string | undefined;
  readonly logLevel: NonNullable<Environment['LOG_LEVEL']>;
}

/**
 * Reads the settings from the environment; throws {@link ConfigError} naming the first wrong one, or one whose name is nearly
 * that of a setting.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const mistyped = findMistyped(env, Object.keys(environment.shape));
  if (mistyped !== undefined) {
    throw new ConfigError(`${mistyped.name} is no setting of Kasente: did you mean ${mistyped.meant}?`);
  }
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
    databaseOwnerUrl: settings.DATABASE_OWNER_URL,
    storageUrl: settings.STORAGE_URL,
    clamavUrl: settings.CLAMAV_URL,
    storageQuotaBytes: settings.STORAGE_QUOTA_MB * MB,
    smtp: settings.SMTP_URL === undefined ? undefined : { url: settings.SMTP_URL, from: settings.SMTP_FROM },
    sms: readSms(settings),
    publicUrl: settings.PUBLIC_URL?.replace(/\/+$/, ''),
    sessionIdleMinutes: settings.SESSION_IDLE_MINUTES,
    drainMs: (settings.DRAIN_SECONDS ?? (production ? PRODUCTION_DRAIN_SECONDS : 0)) * 1000,
    secondFactorRequired: production || settings.SECOND_FACTOR === 'required',
    signUpTextsADay: settings.SIGN_UP_TEXTS_A_DAY,
    textsAPersonAnHour: settings.TEXTS_A_PERSON_AN_HOUR,
    resubmitPauseMs: settings.RESUBMIT_PAUSE_MINUTES * MINUTE_MS,
    answerStepMs: settings.NODE_ENV === 'test' ? 0 : ANSWER_STEP_MS,
    activationTargetHours: settings.ACTIVATION_TARGET_HOURS,
    decisionTargetMs: settings.DECISION_TARGET_HOURS * HOUR_MS,
    invoiceMaximumAgeDays: settings.INVOICE_MAXIMUM_AGE_DAYS,
    secondApprovalAbove: settings.SECOND_APPROVAL_ABOVE,
    minimumAdvance: settings.MINIMUM_ADVANCE,
    newOfficerMs: settings.NEW_OFFICER_HOURS * HOUR_MS,
    newPersonMs: settings.NEW_PERSON_DAYS * DAY_MS,
    limits: {
      start: settings.FUNDING_LIMIT_START,
      maximum: settings.FUNDING_LIMIT_MAXIMUM,
      growthAfter: settings.FUNDING_LIMIT_GROWTH_AFTER,
      growthPercent: settings.FUNDING_LIMIT_GROWTH_PERCENT,
      growthSizePercent: settings.FUNDING_LIMIT_GROWTH_SIZE_PERCENT,
      growthDays: settings.FUNDING_LIMIT_GROWTH_DAYS,
      highest: settings.FUNDING_LIMIT_HIGHEST,
      aloneTimes: settings.FUNDING_LIMIT_ALONE_TIMES,
    },
    trustProxy: readTrustProxy(settings.TRUST_PROXY),
    support: {
      email: settings.SUPPORT_EMAIL ?? (production ? null : 'help@kasente.test'),
      phone: settings.SUPPORT_PHONE ?? (production ? null : '+256 700 000000'),
    },
    seed: !production && settings.DATABASE_URL === undefined && settings.SEED !== 'none',
    auditWitness: settings.AUDIT_WITNESS,
    auditWitnessEmail: settings.AUDIT_WITNESS_EMAIL,
    demonstrationForOthers: settings.DEMONSTRATION === 'others',
    metricsListen: readListenAddress(settings.METRICS_LISTEN),
    metricsToken: settings.METRICS_TOKEN,
    tracing: readTracing(settings),
    secretKey: settings.SECRET_KEY,
    previousSecretKey: settings.SECRET_KEY_PREVIOUS,
    secretKeyLost: settings.SECRET_KEY_LOST,
    logLevel: settings.LOG_LEVEL ?? (production ? 'info' : 'warn'),
  };
}

function refuseImpossible(settings: Environment, production: boolean): void {
  if (production && settings.DEMONSTRATION !== undefined) {
    throw new ConfigError('DEMONSTRATION is for a server without NODE_ENV=production: take one of them away.');
  }
  refuseHalfProduction(settings);
  if (production && settings.DATABASE_URL === undefined && settings.EMBEDDED_DATABASE !== 'allow') {
    throw new ConfigError(
      'DATABASE_URL must be set in production; EMBEDDED_DATABASE=allow runs the embedded database instead, where one machine is meant.',
    );
  }
  if (settings.DATABASE_OWNER_URL !== undefined && settings.DATABASE_URL === undefined) {
    throw new ConfigError('DATABASE_OWNER_URL goes with DATABASE_URL, which names the login of the server itself.');
  }
  refuseUnsafe(settings, production);
  for (const [currency, maximum] of settings.FUNDING_LIMIT_MAXIMUM) {
    if (maximum > (settings.FUNDING_LIMIT_HIGHEST.get(currency) ?? maximum))
      throw new ConfigError(
        `FUNDING_LIMIT_MAXIMUM must not be above FUNDING_LIMIT_HIGHEST, which it is for ${currency}.`,
      );
  }
  if (production && settings.PUBLIC_URL === undefined) {
    throw new ConfigError(
      'PUBLIC_URL must be set in production, such as https://kasente.example: links in messages begin with it.',
    );
  }
}

/** In development messages are shown and passwords are published: nobody else may get there by oversight. */
function refuseHalfProduction(settings: Environment): void {
  if (settings.NODE_ENV !== 'development' || settings.DEMONSTRATION === 'others') return;
  const { HOST, PUBLIC_URL, SMTP_URL, SMS_USERNAME, SMS_API_KEY } = settings;
  const [meant] = [
    ...(PUBLIC_URL !== undefined && isForOthers(new URL(PUBLIC_URL)) ? ['PUBLIC_URL'] : []),
    ...(HOST !== undefined && !isLoopbackName(HOST) ? ['HOST'] : []),
    ...(SMTP_URL === undefined ? [] : ['SMTP_URL']),
    ...(SMS_USERNAME === undefined || SMS_API_KEY === undefined ? [] : ['SMS_USERNAME']),
  ];
  if (meant === undefined) return;
  throw new ConfigError(
    `${meant} as it is set lets other people use this server, so NODE_ENV=production must be set too; for a demonstration that others may use set DEMONSTRATION=others, which shows no messages.`,
  );
}

function isForOthers({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || !isLoopbackName(hostname);
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
  return protocol === 'https:' || isLoopbackName(hostname);
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
