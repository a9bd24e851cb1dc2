import { z } from 'zod';
import { EMAIL_PATTERN } from '#contract/accounts/username.ts';
import type { Contact } from '#contract/contact.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time/durations.ts';
import { LISTEN_PATTERN, readListenAddress } from '#server/machine/listen-address.ts';
import type { RailKind } from '#server/rail-port/rail.ts';
import { findContradiction } from './contradictions.ts';
import { findMistyped } from './near-names.ts';
import type { LimitSettings, RailSettings, RepaymentSettings } from './setting-groups.ts';
import {
  ageRecipients,
  amounts,
  dailyRate,
  headerValue,
  integer,
  readTrustProxy,
  reminderDays,
  repaymentAccounts,
  sender,
  setting,
  trustedProxy,
  witness,
} from './setting-kinds.ts';
import { address, BUCKET_LOGIN, bucketParameters, databaseParameters, origin } from './setting-urls.ts';
import { readTracing, tracingEnvironment } from './tracing-settings.ts';

/** A wrong setting, which prevents the start. The message is one sentence with the setting and its allowed values. */
export class ConfigError extends Error {}

const MB = 1024 * 1024;
/** Enough for a proxy that checks every 2 s and reacts to the second failure. */
const PRODUCTION_DRAIN_SECONDS = 5;
/**
 * Longer than a sign-up, a wrong login or a reset takes, including password hashing, on a machine that is not
 * overloaded.
 */
const ANSWER_STEP_MS = 50;

/** A phone number as written: digits, spaces, and perhaps a plus. */
const SUPPORT_PHONE_PATTERN = /^\+?\d(?: ?\d){5,14}$/;

/** The sender in the demonstration. */
const SAMPLE_SENDER = 'Kasente <no-reply@kasente.test>';

const NO_ACCOUNTS: RepaymentSettings['accounts'] = new Map();
/** The accounts in the demonstration. */
const SAMPLE_ACCOUNTS: RepaymentSettings['accounts'] = new Map([
  ['UGX', ['MTN MoMo merchant 123456', 'Stanbic Bank 9030001234567, Kasente Ltd']],
  ['USD', ['Stanbic Bank 9030007654321, Kasente Ltd']],
]);

function database(example: string) {
  return address({
    protocols: ['postgres:', 'postgresql:'],
    example,
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
      login: BUCKET_LOGIN,
      parameters: bucketParameters,
    }).optional(),
  ),
  CLAMAV_URL: setting(address({ protocols: ['tcp:'], example: 'tcp://localhost:3310' }).optional()),
  SMTP_URL: setting(
    address({
      protocols: ['smtp:', 'smtps:'],
      example: 'smtps://user:password@mail.example.com',
      login: 'both user and password, smtps://user:password@mail.example.com',
    }).optional(),
  ),
  SMTP_FROM: setting(sender.optional()),
  SMS_USERNAME: setting(headerValue.optional()),
  SMS_API_KEY: setting(headerValue.optional()),
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
  OFFER_VALID_DAYS: setting(integer(1, 365).default(14)),
  EXTENSIONS_MAXIMUM: setting(integer(0, 10).default(1)),
  RESUBMIT_PAUSE_MINUTES: setting(integer(0, 1440).default(10)),
  ACTIVATION_TARGET_HOURS: setting(integer(1, 90).default(2)),
  DECISION_TARGET_HOURS: setting(integer(1, 90).default(4)),
  INVOICE_MAXIMUM_AGE_DAYS: setting(integer(1, 3650).default(365)),
  SECOND_APPROVAL_ABOVE: amounts('UGX:20000000,USD:5000'),
  RECEIPTS_ALONE_UP_TO: amounts('UGX:5000000,USD:1500'),
  NEW_OFFICER_HOURS: setting(integer(0, 720).default(24)),
  PAYOUT_ACCOUNT_WAIT_HOURS: setting(integer(0, 720).default(24)),
  RAIL_TIMEOUT_SECONDS: setting(integer(1, 120).default(20)),
  RAIL_TELL_AFTER_MINUTES: setting(integer(1, 1440).default(30)),
  WALLET_TRANSACTION_LIMIT: amounts('UGX:5000000'),
  WALLET_DAILY_LIMIT: amounts('UGX:20000000'),
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
  REPAYMENT_ACCOUNTS: setting(repaymentAccounts.optional()),
  REMINDER_DAYS: setting(reminderDays.prefault('-3,0,1,3,7,14,30')),
  OVERDUE_BLOCKS_AFTER_DAYS: setting(integer(0, 3650).default(3)),
  LATE_CHARGE_PER_DAY: setting(dailyRate.prefault('0')),
  TRUST_PROXY: setting(trustedProxy.optional()),
  SUPPORT_EMAIL: setting(z.string().regex(EMAIL_PATTERN, 'an email address such as help@kasente.example').optional()),
  SUPPORT_PHONE: setting(z.string().regex(SUPPORT_PHONE_PATTERN, 'a phone number such as +256 700 000000').optional()),
  SEED: setting(z.enum(['none'], "'none', or nothing").optional()),
  SIMULATORS: setting(z.enum(['none'], "'none', or nothing").optional()),
  AUDIT_WITNESS: setting(witness.optional()),
  AUDIT_WITNESS_EMAIL: setting(
    z.string().regex(EMAIL_PATTERN, 'an email address such as audit@example.com').optional(),
  ),
  BACKUP_RECIPIENTS: setting(ageRecipients.optional()),
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

export type Environment = z.output<typeof environment>;

/**
 * Reads the settings from the environment, including those of the given rails. Throws {@link ConfigError} for the first
 * wrong setting, or for a name that looks like a mistyped setting.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, kinds: readonly RailKind[] = []): Config {
  const ofRails = kinds.flatMap(({ settings }) => Object.keys(settings));
  const mistyped = findMistyped(env, [...Object.keys(environment.shape), ...ofRails]);
  if (mistyped !== undefined) {
    const { name, meant, isMeantSet } = mistyped;
    throw new ConfigError(
      isMeantSet
        ? `${name} is no setting of Kasente, and ${meant} is set to another value: unset ${name}.`
        : `${name} is no setting of Kasente: did you mean ${meant}?`,
    );
  }
  const parsed = environment.safeParse(env);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ConfigError(`${String(issue?.path[0])} must be ${issue?.message}.`);
  }
  const contradiction = findContradiction(parsed.data);
  if (contradiction !== undefined) throw new ConfigError(contradiction);
  const environmentOfRails = Object.fromEntries(['NODE_ENV', ...ofRails].map((name) => [name, env[name] || undefined]));
  return configOf(parsed.data, { kinds, environment: environmentOfRails });
}

/** The settings of a server (docs/decisions/0041-left-open.md); `.env.example` explains each. */
export type Config = Readonly<ReturnType<typeof configOf>>;

function configOf(settings: Environment, rails: Pick<RailSettings, 'kinds' | 'environment'>) {
  const production = settings.NODE_ENV === 'production';
  return {
    production,
    port: settings.PORT,
    host: settings.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    dataDir: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL,
    /** The URL of the tables' owner, if `databaseUrl` is the server's own login. */
    databaseOwnerUrl: settings.DATABASE_OWNER_URL,
    storageUrl: settings.STORAGE_URL,
    /** The ClamAV daemon that scans every upload. */
    clamavUrl: settings.CLAMAV_URL,
    /** The storage quota of one client's documents, in bytes. */
    storageQuotaBytes: settings.STORAGE_QUOTA_MB * MB,
    smtp:
      settings.SMTP_URL === undefined
        ? undefined
        : { url: settings.SMTP_URL, from: settings.SMTP_FROM ?? SAMPLE_SENDER },
    sms: readSms(settings),
    /** The application's public address; if undefined, the address of the request is used. */
    publicUrl: settings.PUBLIC_URL?.replace(/\/+$/, ''),
    sessionIdleMinutes: settings.SESSION_IDLE_MINUTES,
    /** How long a proxy needs to notice that this server is shutting down. */
    drainMs: (settings.DRAIN_SECONDS ?? (production ? PRODUCTION_DRAIN_SECONDS : 0)) * 1000,
    /** Whether staff must set up a second factor before anything else. */
    secondFactorRequired: production || settings.SECOND_FACTOR === 'required',
    /** How many texts all sign-ups together may send in a day. */
    signUpTextsADay: settings.SIGN_UP_TEXTS_A_DAY,
    /** How many texts one person's actions may send in an hour; further ones wait. */
    textsAPersonAnHour: settings.TEXTS_A_PERSON_AN_HOUR,
    /** For how many days an approval is valid without a payout. */
    offerValidDays: settings.OFFER_VALID_DAYS,
    /** How many extensions an application may get. */
    extensionsMaximum: settings.EXTENSIONS_MAXIMUM,
    /** The pause after a withdrawal before the same number can be submitted again, in milliseconds. */
    resubmitPauseMs: settings.RESUBMIT_PAUSE_MINUTES * MINUTE_MS,
    /** Replies that must not reveal who has an account are sent at multiples of this; 0 in tests, which do not wait. */
    answerStepMs: settings.NODE_ENV === 'test' ? 0 : ANSWER_STEP_MS,
    /** We tell newcomers that most accounts are activated within this many working hours. */
    activationTargetHours: settings.ACTIVATION_TARGET_HOURS,
    /** The SLA: a decision within this working time, in milliseconds. */
    decisionTargetMs: settings.DECISION_TARGET_HOURS * HOUR_MS,
    /** The maximum age of an invoice when it is saved. */
    invoiceMaximumAgeDays: settings.INVOICE_MAXIMUM_AGE_DAYS,
    /**
     * A client's exposure above which two officers must approve, by currency; always two in a currency without an amount.
     */
    secondApprovalAbove: settings.SECOND_APPROVAL_ABOVE,
    /**
     * The maximum of a client's repayments that one officer may record alone, by currency; nothing in a currency
     * without an amount.
     */
    receiptsAloneUpTo: settings.RECEIPTS_ALONE_UP_TO,
    /** The minimum advance by currency; none without an amount. */
    minimumAdvance: settings.MINIMUM_ADVANCE,
    /** How long a new officer may neither give a second approval nor pay out. */
    newOfficerMs: settings.NEW_OFFICER_HOURS * HOUR_MS,
    /** How long after its verification we don't pay to an account. */
    payoutAccountWaitMs: settings.PAYOUT_ACCOUNT_WAIT_HOURS * HOUR_MS,
    /** How long an officer who gave a person access to a business may not decide alone on that person's submissions. */
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
    } satisfies LimitSettings,
    repayment: {
      accounts: settings.REPAYMENT_ACCOUNTS ?? (production ? NO_ACCOUNTS : SAMPLE_ACCOUNTS),
      reminderDays: settings.REMINDER_DAYS,
      blocksAfterDays: settings.OVERDUE_BLOCKS_AFTER_DAYS,
      lateChargeBps: settings.LATE_CHARGE_PER_DAY,
    } satisfies RepaymentSettings,
    rails: {
      ...rails,
      timeoutMs: settings.RAIL_TIMEOUT_SECONDS * 1000,
      tellAfterMs: settings.RAIL_TELL_AFTER_MINUTES * MINUTE_MS,
      walletPerPayment: settings.WALLET_TRANSACTION_LIMIT,
      walletPerDay: settings.WALLET_DAILY_LIMIT,
      simulated: settings.SIMULATORS !== 'none',
    } satisfies RailSettings,
    trustProxy: readTrustProxy(settings.TRUST_PROXY),
    /** The operator's contact; null if not set. */
    support: {
      email: settings.SUPPORT_EMAIL ?? (production ? null : 'help@kasente.test'),
      phone: settings.SUPPORT_PHONE ?? (production ? null : '+256 700 000000'),
    } satisfies Contact,
    seed: !production && settings.DATABASE_URL === undefined && settings.SEED !== 'none',
    /** The external witness of the audit log's anchors. */
    auditWitness: settings.AUDIT_WITNESS,
    /** The recipient of the newest seal, once a day. */
    auditWitnessEmail: settings.AUDIT_WITNESS_EMAIL,
    /** The public age keys of the people who can open encrypted backups. */
    backupRecipients: settings.BACKUP_RECIPIENTS ?? [],
    /**
     * Whether other machines may reach the demonstration. If so, its logins work for everybody, but nobody can see its
     * messages.
     */
    demonstrationForOthers: settings.DEMONSTRATION === 'others',
    /** The separate address of metrics. */
    metricsListen: readListenAddress(settings.METRICS_LISTEN),
    /** The token that Prometheus must send. */
    metricsToken: settings.METRICS_TOKEN,
    /** How traces are sent; undefined if tracing is off. */
    tracing: readTracing(settings),
    secretKey: settings.SECRET_KEY,
    /** The previous secret: values sealed under it can still be read. */
    previousSecretKey: settings.SECRET_KEY_PREVIOUS,
    /** The operator's confirmation that the secret is lost: the value that the failed start printed. */
    secretKeyLost: settings.SECRET_KEY_LOST,
    logLevel: settings.LOG_LEVEL ?? (production ? 'info' : 'warn'),
  };
}

function readSms(settings: Environment) {
  const { SMS_USERNAME: username, SMS_API_KEY: apiKey, SMS_SENDER: sender, SMS_URL: url } = settings;
  if (username === undefined || apiKey === undefined) return undefined;
  return { url, username, apiKey, sender };
}
