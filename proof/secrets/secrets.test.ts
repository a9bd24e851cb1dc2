import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newEmail, newPhone } from '#server/accounts/accounts.harness.ts';
import { createLog } from '#server/observability/logging.ts';
import { noRails } from '#server/rails/open-rails.ts';
import { createPasswords } from '#server/secrets/passwords.ts';
import { canaryFound, proved, rounds } from '#testing/evidence/record.ts';
import { SmsGateway } from '#testing/servers/sms-gateway.ts';
import { createTestApp, type TestApp } from '#testing/test-app.ts';
import { TEST_SECRET } from '#testing/test-platform.ts';
import { failingRails, QuotingProvider } from './quoting-provider.harness.ts';
import { columnsOf, leaksIn, leaksInDatabase, SecretLedger } from './secrets.harness.ts';
import {
  deliver,
  everyRefusal,
  faults,
  mainJob,
  runOf,
  signUpAndReset,
  staffAndSecondFactor,
} from './secrets-run.harness.ts';

/**
 * No secret may appear after the main job, every refusal and faults: in the log at its most verbose level, in a
 * failure's reply, in the metrics, or in any row of the database.
 */

const TIME = { timeout: rounds(120_000, 10 * 3_600_000) };
/** The columns that hold secrets, as hashes, keyed digests or sealed. A new column must be listed here. */
const KEPT = {
  hash: [
    'code_handles.token_hash',
    'devices.token_hash',
    'reset_grants.token_hash',
    'second_steps.device_hash',
    'second_steps.token_hash',
    'sessions.token_hash',
  ],
  'keyed digest': [
    'code_attempts.code_digest',
    'installation.secret_check',
    'login_throttles.username_digest',
    'recovery_codes.code_digest',
  ],
  sealed: ['messages.body', 'second_factor_enrolments.secret', 'second_factors.secret'],
  'of nothing secret': [
    'audit_anchor_heads',
    'audit_anchors',
    'audit_events',
    'documents',
    'drawn_letters',
    'idempotency_keys',
    'payout_batches',
    'statements',
    'stored_files',
    'unfinished_uploads',
    'upload_parts',
  ],
} as const;

const lines: string[] = [];
const ledger = new SecretLedger();
/** Starts without rails: payouts of the main job are recorded by hand. */
const rails = { ...noRails };
let provider: QuotingProvider;
let gateway: SmsGateway;
let app: TestApp;
beforeAll(async () => {
  gateway = await new SmsGateway().listen();
  const log = createLog('trace', { write: (line) => lines.push(line) });
  provider = await new QuotingProvider(ledger).listen();
  app = await createTestApp(
    { ...gateway.settings, SMTP_URL: 'smtp://kasente:Smtp-password-1@127.0.0.1:1', SESSION_IDLE_MINUTES: '720' },
    { log, passwords: await createPasswords(), rails },
  );
});
afterAll(async () => {
  await app.close();
  await gateway.close();
  await provider.close();
});

describe('secrets', TIME, () => {
  it('are in no line of the log, no row, no failure’s answer and no metric', async () => {
    for (const secret of [TEST_SECRET, 'atsk_secret', 'Smtp-password-1']) ledger.add('key', secret);
    const run = runOf(app, ledger);
    // The gateway quotes refused messages.
    gateway.answer = () => {
      const message = gateway.requests.all.at(-1)?.form.message ?? '';
      return { status: 201, body: { SMSMessageData: { Message: `Rejected: ${message}`, Recipients: [] } } };
    };
    for (let round = 0; round < rounds(1, 20); round += 1) {
      await signUpAndReset(run, newPhone());
      await signUpAndReset(run, newEmail());
      await staffAndSecondFactor(run);
      await mainJob(run);
    }
    await deliver(run);
    const refusals = await everyRefusal(run);
    expect(refusals).toBeGreaterThan(200);
    expect(await faults(run)).toBe(3);
    Object.assign(rails, await provider.rails(() => new Date()));
    await failingRails(app, ledger, provider);
    const metrics = await app.server.inject({ method: 'GET', url: '/metrics' });

    const log = lines.join('');
    for (const part of ['a request failed', 'a message was tried', '/api/v1/users/second_factor'])
      expect(log).toContain(part);
    expect(log).not.toMatch(/argon2|Failing row/);
    const secrets = ledger.all;
    const kinds = new Set(secrets.map(({ kind }) => kind));
    expect(kinds).toEqual(
      new Set([
        'key',
        'password',
        'code',
        'link',
        'handle',
        'cookie',
        'second factor',
        'app code',
        'recovery code',
        'API key',
        'login',
        'subscription key',
        'client secret',
        'PIN',
        'token',
      ]),
    );
    const { leaks, cells } = await leaksInDatabase(app, secrets);
    const found = [
      ...leaks,
      ...ledger.told,
      ...leaksIn(secrets, 'the log', log),
      ...leaksIn(secrets, 'the metrics', metrics.body),
    ];
    expect(found).toEqual([]);
    proved(
      'secrets',
      `${secrets.length} secrets of ${kinds.size} kinds, the main job, ${refusals} refusals and two providers that quote what they are sent: 0 in ${lines.length} lines of the log at trace, in ${cells} fields of the database, in answers of failures and in the metrics`,
    );
  });

  it('would be found there (canary)', async () => {
    const token = 'x1'.repeat(22).slice(0, 43);
    const secrets = [
      { kind: 'password', value: 'Planted-2026-nsenene' },
      { kind: 'code', value: '48213' },
      { kind: 'cookie', value: token },
    ];
    const before = lines.length;
    app.platform.log.info({ note: 'Planted-2026-nsenene' }, 'the PIN is 48213.');
    const inLog = leaksIn(secrets, 'the log', lines.slice(before).join(''));
    expect(inLog.map(({ kind }) => kind)).toEqual(['password', 'code']);
    await app.platform.pool.query(
      `insert into audit_events (at, action, subject_type, subject_tag, after) values (now(), 'planted', 'person', gen_random_uuid(), $1)`,
      [JSON.stringify({ pin: '48213', deep: { password: 'Planted-2026-nsenene' } })],
    );
    const raw = Buffer.from(token, 'base64url');
    await app.platform.pool.query('insert into login_throttles (username_digest, last_failed_at) values ($1, now())', [
      raw,
    ]);
    const { leaks } = await leaksInDatabase(app, secrets);
    expect(leaks).toEqual([
      { kind: 'password', where: 'public.audit_events.after' },
      { kind: 'code', where: 'public.audit_events.after' },
      { kind: 'cookie', where: 'public.login_throttles.username_digest' },
    ]);
    expect(leaksIn(secrets, 'a time', '2026-11-20T09:00:48213Z 1482130 0.48213')).toEqual([]);
    expect(leaksIn(secrets, 'the cost of a hash', '$argon2id$v=19$m=48213,t=2,p=1$c2FsdA$aGFzaA')).toEqual([]);
    canaryFound(
      'secrets',
      'a password and a PIN in a line of the log and in an audit row, a token’s bytes in another: all found',
    );
  });

  it('are kept in these columns alone, as hashes, digests or sealed', async () => {
    const bytes = (await columnsOf(app)).filter(({ type }) => type === 'bytea');
    const names = bytes.map(({ table, column }) => `${table.replace('public.', '')}.${column}`);
    const nothingSecret: readonly string[] = KEPT['of nothing secret'];
    const secret = names.filter((name) => !nothingSecret.includes(name.split('.')[0] ?? ''));
    expect(secret.toSorted()).toEqual([...KEPT.hash, ...KEPT['keyed digest'], ...KEPT.sealed].toSorted());
    const { rows } = await app.platform.pool.query<{ hash: string }>('select password_hash as hash from persons');
    expect(rows.filter(({ hash }) => !hash.startsWith('$argon2id$v=19$m=19456,t=2,p=1$'))).toEqual([]);
    for (const name of [...KEPT.hash, ...KEPT['keyed digest']]) {
      const [table, column] = name.split('.');
      const wrong = await app.platform.pool.query(`select 1 from ${table} where length(${column}) <> 32`);
      expect([name, wrong.rowCount]).toEqual([name, 0]);
    }
  });
});

describe('a crash', TIME, () => {
  it('logs the error without the secrets that it carried', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'crash.child.ts')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = await once(child, 'close');
    expect(code).toBe(1);
    expect(output).toContain('stopping after an error nobody caught');
    expect(output).toContain('the planted crash');
    for (const secret of ['Crash-password-2026', 'y2'.repeat(22).slice(0, 43), '$argon2id$'])
      expect(output).not.toContain(secret);
  });
});
