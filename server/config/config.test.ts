import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://db/kasente',
  PUBLIC_URL: 'https://kasente.example',
  SECRET_KEY: 'a secret of thirty-two characters',
};

function refusal(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('it was taken');
}

describe('settings', () => {
  it('are all optional in development: only this machine, the embedded database, a demonstration', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      port: 3000,
      host: '127.0.0.1',
      dataDir: './data',
      databaseUrl: undefined,
      sessionIdleMinutes: 15,
      trustProxy: false,
      seed: true,
    });
  });

  it('require a second factor of staff in production, whatever their values, and elsewhere if they say so', () => {
    expect(readConfig({}).secondFactorRequired).toBe(false);
    expect(readConfig({ SECOND_FACTOR: 'required' }).secondFactorRequired).toBe(true);
    expect(readConfig(production).secondFactorRequired).toBe(true);
    expect(refusal({ ...production, SECOND_FACTOR: 'optional' })).toBe("SECOND_FACTOR must be 'required', or nothing.");
  });

  it('give each client 2 GB for documents by default', () => {
    expect(readConfig({}).storageQuotaBytes).toBe(2 * 1024 ** 3);
    expect(readConfig({ STORAGE_QUOTA_MB: '1' }).storageQuotaBytes).toBe(1024 ** 2);
    expect(refusal({ STORAGE_QUOTA_MB: '0' })).toBe('STORAGE_QUOTA_MB must be a whole number from 1 to 1000000.');
  });

  it('count as absent if they are empty', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', SEED: '' })).toMatchObject({
      port: 3000,
      databaseUrl: undefined,
      seed: true,
    });
  });

  it('accept a database password with a comma', () => {
    const databaseUrl = 'postgres://kasente:se,cret@db1:5432/kasente?sslmode=require';
    expect(readConfig({ DATABASE_URL: databaseUrl }).databaseUrl).toBe(databaseUrl);
  });

  it.each([
    [{ PORT: 'http' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535.'],
    [
      { DATABASE_URL: 'postgres://kasente:secret@db1:5432,db2:5432/kasente' },
      'DATABASE_URL must be an address with one host, such as postgres://user:password@host:5432/kasente.',
    ],
    [
      { DATABASE_URL: 'postgres://kasente:secret@db1:nonsense/kasente' },
      'DATABASE_URL must be an address such as postgres://user:password@host:5432/kasente.',
    ],
    [
      { DATABASE_URL: 'mysql://db' },
      'DATABASE_URL must be an address such as postgres://user:password@host:5432/kasente.',
    ],
    [{ STORAGE_URL: '/var/files' }, 'STORAGE_URL must be an address such as s3://bucket/prefix?region=af-south-1.'],
    [{ CLAMAV_URL: 'localhost:3310' }, 'CLAMAV_URL must be an address such as tcp://localhost:3310.'],
    [{ SESSION_IDLE_MINUTES: '0' }, 'SESSION_IDLE_MINUTES must be a whole number from 1 to 720.'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV must be development or production.'],
    [{ SEED: 'yes' }, "SEED must be 'none', or nothing."],
    [{ SIMULATORS: 'yes' }, "SIMULATORS must be 'none', or nothing."],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY must be at least 32 characters.'],
    ...['foo', '10.0.0.1, foo', '10.0.0.0/33', '::1/129', '10.0.0.1/', '-1', '10.0.0.1,'].map(
      (value): [Record<string, string>, string] => [
        { TRUST_PROXY: value },
        "TRUST_PROXY must be true, the number of proxies in front, or their addresses such as '10.0.0.1, 10.1.0.0/16'.",
      ],
    ),
    [{ SUPPORT_EMAIL: 'help' }, 'SUPPORT_EMAIL must be an email address such as help@kasente.example.'],
    [{ SUPPORT_PHONE: 'call us' }, 'SUPPORT_PHONE must be a phone number such as +256 700 000000.'],
    [
      { FUNDING_LIMIT_MAXIMUM: 'UGX:3000000000' },
      'FUNDING_LIMIT_MAXIMUM must not be above FUNDING_LIMIT_HIGHEST, which it is for UGX.',
    ],
    [{ SMS_USERNAME: 'kasente' }, 'SMS_USERNAME and SMS_API_KEY must be set together.'],
  ])('%o is refused in one sentence', (env: Record<string, string>, sentence) => {
    expect(refusal(env)).toBe(sentence);
  });

  it('never seed in production, listen everywhere and need a real database', () => {
    expect(readConfig(production)).toMatchObject({ production: true, host: '0.0.0.0', seed: false });
    expect(refusal({ NODE_ENV: 'production', PUBLIC_URL: 'https://kasente.example' })).toContain(
      'DATABASE_URL must be set',
    );
    const oneMachine = { NODE_ENV: 'production', PUBLIC_URL: 'https://kasente.example', EMBEDDED_DATABASE: 'allow' };
    expect(readConfig(oneMachine)).toMatchObject({ databaseUrl: undefined, seed: false });
    expect(refusal({ ...production, PUBLIC_URL: '' })).toContain('PUBLIC_URL must be set');
  });

  it('are refused in production if sessions would be sent unencrypted, or sealed secrets depend on a folder', () => {
    expect(refusal({ ...production, PUBLIC_URL: 'http://kasente.example' })).toBe(
      'PUBLIC_URL must begin with https:// in production: without it sessions travel in the clear.',
    );
    for (const own of ['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:3000']) {
      expect(readConfig({ ...production, PUBLIC_URL: own }).publicUrl).toBe(own);
    }
    expect(refusal({ ...production, SECRET_KEY: '' })).toBe(
      'SECRET_KEY must be set in production with DATABASE_URL: a server with another one, or one of its own, reads no second factor.',
    );
    expect(readConfig({ PUBLIC_URL: 'http://localhost', DATABASE_URL: production.DATABASE_URL }).secretKey).toBe(
      undefined,
    );
  });

  it.each([
    ['PUBLIC_URL', 'https://kasente.example'],
    ['PUBLIC_URL', 'https://localhost'],
    ['PUBLIC_URL', 'http://192.168.1.5:3000'],
    ['HOST', '0.0.0.0'],
    ['HOST', '::'],
    ['HOST', '192.168.1.5'],
    ['SMTP_URL', 'smtp://mail.example.com'],
    ['SMS_USERNAME', 'kasente'],
  ])('are refused outside production if they let others in, with the remedy: %s=%s', (name, value) => {
    const both: Record<string, string> = name.startsWith('SMS')
      ? { SMS_USERNAME: 'kasente', SMS_API_KEY: 'a-key' }
      : {};
    expect(refusal({ ...both, [name]: value })).toBe(
      `${name} as it is set lets other people use this server, so NODE_ENV=production must be set too; for a demonstration that others may use set DEMONSTRATION=others, which shows no messages.`,
    );
    const shown = readConfig({ ...both, [name]: value, DEMONSTRATION: 'others' });
    expect(shown).toMatchObject({ production: false, demonstrationForOthers: true, seed: true });
  });

  it.each<Record<string, string>>([
    { HOST: '127.0.0.1' },
    { HOST: '::1' },
    { HOST: 'localhost' },
    { PUBLIC_URL: 'http://localhost:3000' },
  ])('are taken if they keep to this machine: %o', (env) => {
    expect(readConfig(env)).toMatchObject({ production: false, demonstrationForOthers: false });
  });

  it('are refused in production if they are the demonstration’s', () => {
    expect(refusal({ ...production, DEMONSTRATION: 'others' })).toBe(
      'DEMONSTRATION is for a server without NODE_ENV=production: take one of them away.',
    );
    expect(refusal({ DEMONSTRATION: 'yes' })).toBe("DEMONSTRATION must be 'others', or nothing.");
    expect(refusal({ METRICS_TOKEN: 'short' })).toBe('METRICS_TOKEN must be at least 32 characters.');
    for (const METRICS_LISTEN of ['9464', ':9464', '127.0.0.1', 'http://127.0.0.1:9464'])
      expect(refusal({ METRICS_LISTEN })).toBe(
        'METRICS_LISTEN must be an address and a port such as 127.0.0.1:9464 or [::1]:9464.',
      );
    expect(refusal({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).toBe(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http://localhost:4318.',
    );
    expect(refusal({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toBe(
      "OTEL_EXPORTER_OTLP_PROTOCOL must be 'http/protobuf' or 'http/json'.",
    );
  });

  it('define an additional address for metrics, and how traces are sent', () => {
    expect(readConfig({}).metricsListen).toBeUndefined();
    expect(readConfig({ METRICS_LISTEN: '[::1]:9464' }).metricsListen).toEqual({ host: '::1', port: 9464 });
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://localhost:4318';
    expect(readConfig({}).tracing).toBeUndefined();
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT }).tracing).toBe('http/protobuf');
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }).tracing).toBe(
      'http/json',
    );
    for (const off of [{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])
      expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, ...off }).tracing).toBeUndefined();
  });

  it('never seed somebody else’s database', () => {
    expect(readConfig({ DATABASE_URL: 'postgres://db/kasente' }).seed).toBe(false);
    expect(readConfig({ SEED: 'none' }).seed).toBe(false);
  });

  it('describe proxies by hops, by addresses or by trusting all', () => {
    expect(readConfig({ TRUST_PROXY: 'true' }).trustProxy).toBe(true);
    expect(readConfig({ TRUST_PROXY: '10.0.0.1, 10.0.0.2' }).trustProxy).toBe('10.0.0.1, 10.0.0.2');
    expect(readConfig({ TRUST_PROXY: 'false' }).trustProxy).toBe(false);
    for (const taken of ['loopback', '10.0.0.0/8, fd00::/8', '::1']) {
      expect(readConfig({ TRUST_PROXY: taken }).trustProxy).toBe(taken);
    }
    const { trustProxy } = readConfig({ TRUST_PROXY: '1' });
    if (typeof trustProxy !== 'function') throw new Error('a number of proxies is a function of the hop');
    expect([trustProxy('10.0.0.1', 0), trustProxy('10.0.0.1', 1)]).toEqual([true, false]);
  });

  it('have a contact: the demonstration’s in development, none in production', () => {
    expect(readConfig({}).support).toEqual({ email: 'help@kasente.test', phone: '+256 700 000000' });
    expect(readConfig(production).support).toEqual({ email: null, phone: null });
    const set = { SUPPORT_EMAIL: 'help@kasente.example', SUPPORT_PHONE: '0800 123456' };
    expect(readConfig({ ...production, ...set }).support).toEqual({
      email: 'help@kasente.example',
      phone: '0800 123456',
    });
  });
});
