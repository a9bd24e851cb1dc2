import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { ConfigError, readConfig } from './config.ts';
import { accountsIn } from './setting-groups.ts';
import { CURRENCIES } from './setting-kinds.ts';

/** Mistyped settings. Each is refused in one sentence with the remedy, and without a password. */

function refusal(env: Record<string, string>): string | undefined {
  try {
    readConfig(env);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

/** A server with every setting. */
const COMPLETE = {
  ...Object.fromEntries(
    Object.entries(parseEnv(readFileSync('.env.example', 'utf8'))).filter(([, value]) => value !== ''),
  ),
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PUBLIC_URL: 'https://kasente.example',
  DATABASE_URL: 'postgres://kasente_server:secret@db/kasente',
  DATABASE_OWNER_URL: 'postgres://kasente:secret@db/kasente',
  SECRET_KEY: 's'.repeat(32),
  STORAGE_URL: 's3://documents',
  SMTP_URL: 'smtps://mail.example.com',
  SMS_USERNAME: 'kasente',
  SMS_API_KEY: 'atsk_secret',
  TRUST_PROXY: '1',
};

describe('a name that is nearly a setting’s', () => {
  it.each([
    ['STORAGE_ULR', 's3://documents', 'STORAGE_URL'],
    ['DATABASE_URI', 'postgres://db/kasente', 'DATABASE_URL'],
    ['SECRET_KEY_PREVIUOS', 'x'.repeat(32), 'SECRET_KEY_PREVIOUS'],
    ['TRUSTED_PROXY', '1', 'TRUST_PROXY'],
    ['SMTP_ULR', 'smtp://mail', 'SMTP_URL'],
    ['SMPT_URL', 'smtp://mail', 'SMTP_URL'],
    ['STMP_URL', 'smtp://mail', 'SMTP_URL'],
    ['DATABSE_URL', 'postgres://db/kasente', 'DATABASE_URL'],
    ['ATABASE_URL', 'postgres://db/kasente', 'DATABASE_URL'],
    ['SMS_USRENAME', 'kasente', 'SMS_USERNAME'],
    ['DATADIR', '/var/lib/kasente', 'DATA_DIR'],
    ['FUNDING_LIMITS_START', 'UGX:1', 'FUNDING_LIMIT_START'],
    ['smtp_url', 'smtp://mail', 'SMTP_URL'],
  ])('is refused with the right one: %s', (name, value, meant) => {
    expect(refusal({ [name]: value })).toBe(`${name} is no setting of Kasente: did you mean ${meant}?`);
  });

  it('is refused in addition to the right one, too, unless both have the same value', () => {
    const SMTP = { SMTP_URL: 'smtp://mail', NODE_ENV: 'test' };
    expect(refusal({ ...SMTP, SMTP_ULR: 'smtp://other' })).toBe(
      'SMTP_ULR is no setting of Kasente, and SMTP_URL is set to another value: unset SMTP_ULR.',
    );
    expect(refusal({ ...SMTP, SMTP_ULR: 'smtp://mail' })).toBeUndefined();
    expect(refusal({ ...SMTP, SMTP_ULR: '' })).toBeUndefined();
  });

  it.each([
    ['PATH', 'HOME', 'HOSTNAME', 'PWD', 'PORTS', 'HOSTS', 'SEEDS', 'REDIS_PORT', 'NODE_ENVIRONMENT', 'NODE_OPTIONS'],
    ['SMTP_USERNAME', 'SMTP_SENDER', 'SMTP_API_KEY', 'SNS_URL', 'SQS_URL', 'SSM_URL', 'CMS_URL', 'SMB_URL'],
    ['SMTP_SSL', 'SMTP_TLS', 'SFTP_URL', 'SMPP_URL'],
    ['SMTP_USER', 'SMTP_HOST', 'SMTP_PORT', 'HTTP_URL', 'FTP_URL', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'LOGLEVEL'],
    ['DATABASE_USER', 'DATABASE_HOST', 'DATABASE_PORT', 'POSTGRES_URL', 'TEST_DATABASE_URL', 'PGDATA', 'PGPASSWORD'],
    [
      'npm_config_loglevel',
      'npm_package_name',
      'XDG_DATA_DIRS',
      'XDG_DATA_HOME',
      'AWS_REGION',
      'AWS_SECRET_ACCESS_KEY',
    ],
    [
      'KUBERNETES_SERVICE_HOST',
      'KASENTE_PORT_3000_TCP',
      'LC_ALL',
      'TZ',
      'LOGNAME',
      'DJANGO_SECRET_KEY',
      'SECRET_KEY_BASE',
    ],
  ])('leaves other programs’ names alone: %s and the like', (...names) => {
    for (const name of names) {
      expect([name, refusal({ [name]: 'x' })]).toEqual([name, undefined]);
      expect([name, refusal({ ...COMPLETE, [name]: 'x' })]).toEqual([name, undefined]);
    }
  });

  it('occurs neither in .env.example nor in this process’s environment', async () => {
    const example = await readFile('.env.example', 'utf8');
    const names = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(30);
    const npm = Object.keys(process.env).filter((name) => /^npm_/i.test(name));
    for (const name of [...names, ...npm, 'PATH']) expect(refusal({ [name]: '' })).toBeUndefined();
  });
});

const ENCODED =
  'must be an address in which the user and the password are encoded: write % as %25, / as %2F, # as %23, ? as %3F, @ as %40.';

describe('an address', () => {
  it.each([
    ['DATABASE_URL', 'postgres://kasente:s3c/ret@db:5432/kasente'],
    ['DATABASE_URL', 'postgres://kasente:12/ret@db/kasente'],
    ['DATABASE_URL', 'postgres://kasente:s3c#ret@db/kasente'],
    ['DATABASE_URL', 'postgres://kasente:12#ret@db/kasente'],
    ['DATABASE_URL', 'postgres://kasente:12?ret=x@db/kasente'],
    ['DATABASE_URL', 'postgres://kasente:s3c@ret@db/kasente'],
    ['DATABASE_URL', 'postgres://kasente:s3c%ret@db/kasente'],
    ['DATABASE_OWNER_URL', 'postgres://kasente:s3c?ret@db/kasente'],
    ['STORAGE_URL', 's3://AKIA:s3c/ret@documents/prefix'],
    ['SMTP_URL', 'smtps://kasente:s3c#ret@mail.example.com'],
    ['AUDIT_WITNESS', 's3://AKIA:s3c/ret@documents/prefix'],
  ])('whose password needs encoding is refused without showing it: %s %s', (name, value) => {
    const said = refusal({ DATABASE_URL: 'postgres://db/kasente', [name]: value });
    expect(said).toBe(`${name} ${ENCODED}`);
  });

  it.each([
    ['postgres://kasente:s3c%2Fr%23e%40t@db/kasente?sslmode=verify-full&application_name=a@b'],
    ['postgres://localhost:5432/kasente?host=%2Frun%2Fpostgresql&user=kasente'],
    ['postgres://kasente:x@ep-1.neon.tech/kasente?sslmode=require&channel_binding=require'],
    ['postgresql://kasente:x@db1:5433/kasente?target_session_attrs=read-write&connect_timeout=5'],
  ])('is taken if PostgreSQL’s tools understand it: %s', (url) => {
    expect(refusal({ DATABASE_URL: url })).toBeUndefined();
  });

  it.each([
    [
      { DATABASE_URL: 'postgres://db/kasente?sslmod=require' },
      'DATABASE_URL must be an address without the parameter sslmod, which nothing reads: write sslmode.',
    ],
    [
      { DATABASE_URL: 'postgres://db1/kasente?sslmode=requierd' },
      'DATABASE_URL must be an address whose sslmode is one of disable, prefer, require, verify-ca, verify-full, no-verify.',
    ],
    [
      { DATABASE_URL: 'postgres://db/kasente?gssencmode=require' },
      'DATABASE_URL must be an address whose gssencmode is one of disable, prefer.',
    ],
    [
      { STORAGE_URL: 's3://documents?regoin=af-south-1' },
      'STORAGE_URL must be an address without the parameter regoin, which nothing reads: write region.',
    ],
    [
      { STORAGE_URL: 's3://documents?bucket=2' },
      'STORAGE_URL must be an address without the parameter bucket, which nothing reads: known are region, endpoint.',
    ],
    [
      { STORAGE_URL: 's3://documents?endpoint=minio:9000' },
      'STORAGE_URL must be an address whose endpoint is an address too, such as https://s3.example.com.',
    ],
    [
      { AUDIT_WITNESS: 's3://documents?endpoint=minio' },
      'AUDIT_WITNESS must be an address whose endpoint is an address too, such as https://s3.example.com.',
    ],
    [
      { AUDIT_WITNESS: 'https://witness' },
      'AUDIT_WITNESS must be a file such as /var/log/kasente/witness, or s3://bucket/prefix?region=af-south-1.',
    ],
  ])('is refused if it is none, or has parts that nobody reads: %o', (env: Record<string, string>, sentence) => {
    expect(refusal(env)).toBe(sentence);
  });

  it.each(['keepAlive', 'keepAliveInitialDelayMillis', 'enableChannelBinding'])(
    'is refused with options that the driver only takes from an object: %s',
    (name) => {
      expect(refusal({ DATABASE_URL: `postgres://db/kasente?${name}=true` })).toContain(
        `an address without the parameter ${name}, which nothing reads: `,
      );
    },
  );

  it.each(['/app', '/?a=1', '?a=1', '/#top', '/app/'])(
    'ends with the host if it is for people, not with %s',
    (more) => {
      expect(refusal({ PUBLIC_URL: `http://localhost:3000${more}` })).toBe(
        'PUBLIC_URL must be the address alone, such as https://kasente.example, with nothing after the host.',
      );
    },
  );

  it('may end with a slash if it is the public one', () => {
    expect(readConfig({ PUBLIC_URL: 'http://localhost:3000/' }).publicUrl).toBe('http://localhost:3000');
    expect(refusal({ PUBLIC_URL: 'localhost' })).toBe('PUBLIC_URL must be an address such as https://kasente.example.');
  });
});

describe('settings that contradict each other', () => {
  it.each<[Record<string, string>, string]>([
    [
      { FUNDING_LIMIT_START: 'UGX:3000000000' },
      'FUNDING_LIMIT_START must not be above FUNDING_LIMIT_MAXIMUM, which it is for UGX.',
    ],
    [
      { FUNDING_LIMIT_START: 'UGX:3000000000', FUNDING_LIMIT_MAXIMUM: 'USD:1' },
      'FUNDING_LIMIT_START must not be above FUNDING_LIMIT_HIGHEST, which it is for UGX.',
    ],
    [
      { FUNDING_LIMIT_MAXIMUM: 'USD:700000' },
      'FUNDING_LIMIT_MAXIMUM must not be above FUNDING_LIMIT_HIGHEST, which it is for USD.',
    ],
    [
      { MINIMUM_ADVANCE: 'UGX:2000000001' },
      'MINIMUM_ADVANCE must not be above FUNDING_LIMIT_HIGHEST, which it is for UGX.',
    ],
    [
      { WALLET_TRANSACTION_LIMIT: 'UGX:20000001' },
      'WALLET_TRANSACTION_LIMIT must not be above WALLET_DAILY_LIMIT, which it is for UGX.',
    ],
    [
      { RAIL_TIMEOUT_SECONDS: '61', RAIL_TELL_AFTER_MINUTES: '1' },
      'RAIL_TIMEOUT_SECONDS must be less than RAIL_TELL_AFTER_MINUTES: officers would be told while the provider may still answer.',
    ],
    [
      { DATABASE_URL: 'postgres://db/kasente', EMBEDDED_DATABASE: 'allow' },
      'EMBEDDED_DATABASE and DATABASE_URL name two databases: unset one of them.',
    ],
    [
      { DATABASE_URL: 'postgres://db/kasente', DATABASE_OWNER_URL: 'postgres://kasente@db/kasente' },
      "DATABASE_URL must name the server's own role if DATABASE_OWNER_URL is set, such as postgres://kasente_server:password@host:5432/kasente.",
    ],
    [
      { DATABASE_URL: 'postgres://kasente@db/kasente', DATABASE_OWNER_URL: 'postgres://kasente@db/kasente' },
      'DATABASE_URL and DATABASE_OWNER_URL must name two roles: the server’s own, and the owner of the tables. Unset DATABASE_OWNER_URL if there is only one.',
    ],
    [
      { SECRET_KEY: 's'.repeat(32), SECRET_KEY_PREVIOUS: 's'.repeat(32) },
      'SECRET_KEY_PREVIOUS must be the secret before SECRET_KEY, and both are the same.',
    ],
    [{ SMS_SENDER: 'Kasente' }, 'SMS_SENDER goes with SMS_USERNAME and SMS_API_KEY: set them, or unset SMS_SENDER.'],
    [
      { ...COMPLETE, SMTP_FROM: '' },
      'SMTP_FROM must be set in production with SMTP_URL: mail servers take nothing from no-reply@kasente.test.',
    ],
  ])('are refused: %o', (env: Record<string, string>, sentence) => {
    expect(refusal(env)).toBe(sentence);
  });

  it('don’t occur in a complete server', () => {
    expect(refusal(COMPLETE)).toBeUndefined();
  });
});

describe('a setting that otherwise only its first use would reveal as wrong', () => {
  const FROM = 'SMTP_FROM must be one address such as Kasente <no-reply@kasente.example>.';
  it.each<[Record<string, string>, string]>([
    ...['nobody', 'Kasente', 'Kasente <nobody>', 'a@b.example, c@d.example', '<>', 'no-reply@kasente'].map(
      (SMTP_FROM): [Record<string, string>, string] => [{ SMTP_FROM }, FROM],
    ),
    ...['s3://AKIA@documents', 's3://:secret@documents'].map((STORAGE_URL): [Record<string, string>, string] => [
      { STORAGE_URL },
      'STORAGE_URL must be an address with both key and secret, s3://key:secret@bucket/prefix, or with neither.',
    ]),
    [
      { AUDIT_WITNESS: 's3://AKIA@documents' },
      'AUDIT_WITNESS must be an address with both key and secret, s3://key:secret@bucket/prefix, or with neither.',
    ],
    [
      { SMTP_URL: 'smtps://kasente@mail.example.com' },
      'SMTP_URL must be an address with both user and password, smtps://user:password@mail.example.com, or with neither.',
    ],
    [{ STORAGE_URL: 's3:///prefix' }, 'STORAGE_URL must be an address such as s3://bucket/prefix?region=af-south-1.'],
    [{ CLAMAV_URL: 'tcp://' }, 'CLAMAV_URL must be an address such as tcp://localhost:3310.'],
    [{ SMTP_URL: 'smtp:mail' }, 'SMTP_URL must be an address such as smtps://user:password@mail.example.com.'],
    [
      { SMS_USERNAME: 'kasente', SMS_API_KEY: 'atsk_secret\n' },
      'SMS_API_KEY must be printable characters without spaces.',
    ],
  ])('is refused at the start: %o', (env: Record<string, string>, sentence) => {
    expect(refusal(env)).toBe(sentence);
  });

  it.each([
    'no-reply@kasente.example',
    'Kasente <no-reply@kasente.example>',
    '"Kasente, Ltd" <a@b.example>',
    'Kasente, Ltd <a@b.example>',
  ])('is a sender as mail programs write it: %s', (SMTP_FROM) => {
    expect(refusal({ SMTP_FROM })).toBeUndefined();
  });
});

describe('the settings for repayment', () => {
  it.each([
    'MTN',
    'MTN MoMo merchant 123456;',
    'one account; two accounts; three accounts; four accounts; five accounts; six accounts',
    `Bank ${'9'.repeat(80)}`,
  ])('refuses accounts that people cannot read: %s', (value) => {
    expect(refusal({ REPAYMENT_ACCOUNTS: value })).toMatch(
      /^REPAYMENT_ACCOUNTS must be up to 5 accounts of 4 to 80 characters with a semicolon between two, such as /,
    );
  });

  it('have the accounts as they are set', () => {
    const REPAYMENT_ACCOUNTS = 'MTN MoMo merchant 123456; Stanbic Bank 9030001234567, Kasente Ltd';
    const config = readConfig({ REPAYMENT_ACCOUNTS });
    expect(accountsIn(config, 'UGX')).toEqual(REPAYMENT_ACCOUNTS.split('; '));
    expect(accountsIn(config, 'USD')).toEqual([]);
  });

  it('have the accounts of each currency', () => {
    const REPAYMENT_ACCOUNTS = 'MTN: 0772 345678; USD: Stanbic Bank 9030007; UGX:Airtel merchant 4455';
    const config = readConfig({ REPAYMENT_ACCOUNTS });
    expect(accountsIn(config, 'UGX')).toEqual(['MTN: 0772 345678', 'Airtel merchant 4455']);
    expect(accountsIn(config, 'USD')).toEqual(['Stanbic Bank 9030007']);
  });

  it.each(['soon', '0,0', '3,1', '-31', '0,366', '1,', '1.5'])('refuses reminder days out of order: %s', (value) => {
    expect(refusal({ REMINDER_DAYS: value })).toBe(
      'REMINDER_DAYS must be up to 20 days from -30 to 365, each after the one before, such as -3,0,1,3,7,14,30.',
    );
  });

  it('have the days of reminders as they are set', () => {
    expect(readConfig({}).repayment.reminderDays).toEqual([-3, 0, 1, 3, 7, 14, 30]);
    expect(readConfig({ REMINDER_DAYS: '-1,2' }).repayment.reminderDays).toEqual([-1, 2]);
  });
});

describe('amounts', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it.each([
    'SECOND_APPROVAL_ABOVE',
    'RECEIPTS_ALONE_UP_TO',
    'FUNDING_LIMIT_START',
    'FUNDING_LIMIT_MAXIMUM',
    'FUNDING_LIMIT_HIGHEST',
    'MINIMUM_ADVANCE',
    'WALLET_TRANSACTION_LIMIT',
    'WALLET_DAILY_LIMIT',
  ])('are refused in an unknown currency: %s', (name) => {
    expect(refusal({ [name]: 'UGS:50000000' })).toBe(
      `${name} must be amounts in UGX and USD; UGS is no currency of Kasente.`,
    );
    expect(refusal({ [name]: '50000000' })).toBe(
      `${name} must be amounts by currency in whole units, such as UGX:20000000,USD:5000.`,
    );
  });

  it('accept the currencies of the reference data, and no others', async () => {
    const rows = await database.db.selectFrom('currencies').select('code').orderBy('id').execute();
    expect(rows.map(({ code }) => code)).toEqual(CURRENCIES);
  });
});
