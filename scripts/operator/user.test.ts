import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildEnrolled } from '#server/accounts/own-account.harness.ts';
import { readConfig } from '#server/config/config.ts';
import { startServer } from '#server/start.ts';
import { buildPerson, buildSignedIn, TEST_PASSWORD } from '#testing/builders.ts';
import { databaseUrl } from '#testing/servers/server-process.ts';
import { type Answer, appOfFile } from '#testing/test-app.ts';
import { TEST_SECRET } from '#testing/test-platform.ts';
import { runAnnounced } from './tool.harness.ts';

const PASSWORD = 'Boda-boda 2026 Kampala';

const app = appOfFile();
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kasente-user-'));
  await chmod(dataDir, 0o711); // PostgreSQL runs as another user when this is root, and has to get in
});
afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs the command with this standard input, by default on the test's database. */
function run(args: readonly string[], input = '', settings?: Record<string, string>) {
  const env = settings ?? { DATABASE_URL: databaseUrl(app.database.name) };
  return runAnnounced('user', args, { DATA_DIR: dataDir, SECRET_KEY: TEST_SECRET, ...env }, { cwd: dataDir, input });
}

function logIn(username: string, password: string): Promise<Answer> {
  return app.visitor().post('/users/login', { username, password });
}

function stored(username: string) {
  return app.platform.db.selectFrom('persons').selectAll().where('username', '=', username).executeTakeFirstOrThrow();
}

function eventsOf(tag: string) {
  return app.platform.db
    .selectFrom('audit_events')
    .select(['action', 'actor_tag', 'before', 'after', 'ip', 'request_id'])
    .where('subject_tag', '=', tag)
    .where('action', 'like', 'person.%')
    .orderBy('id')
    .execute();
}

describe('create', () => {
  it('adds an administrator who can log in at once', async () => {
    const args = [
      'create',
      '--username',
      'First@Kasente.test',
      '--admin',
      '--first-name',
      'Grace',
      '--last-name',
      'Atim',
    ];
    expect(await run(args, `${PASSWORD}\n`)).toEqual({
      code: 0,
      out: 'first@kasente.test can log in now, with KADMIN.\n',
      error: '',
    });
    const { body } = await logIn('first@kasente.test', PASSWORD);
    expect(body.user).toMatchObject({ perms: ['KADMIN'], firstName: 'Grace', lastName: 'Atim', bizName: null });
    const { tag, password_hash: hash } = await stored('first@kasente.test');
    expect(hash).toMatch(/^\$argon2id\$/);
    const events = await eventsOf(tag);
    expect(events).toEqual([
      {
        action: 'person.created',
        actor_tag: null,
        before: null,
        after: { status: 'Active', perms: ['KADMIN'], firstName: 'Grace', lastName: 'Atim' },
        ip: 'command line',
        request_id: expect.stringContaining('npm run user, by '),
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('argon2');
  });

  it('adds staff or a user without permissions, without a name, by phone, with a password without a newline', async () => {
    expect((await run(['create', '--username', '+256 766 000 001', '--staff'], PASSWORD)).code).toBe(0);
    expect((await logIn('0766000001', PASSWORD)).body.user).toMatchObject({ perms: ['KSTAF'], firstName: null });
    const plain = await run(['create', '--username', '0766000002'], `${PASSWORD}\r\nsecond line\n`);
    expect(plain).toMatchObject({ code: 0, out: '0766000002 can log in now, with no permission.\n' });
    expect((await logIn('0766000002', PASSWORD)).body.user.perms).toEqual([]);
  });

  it('requires a password that sign-up accepts', async () => {
    const args = ['create', '--username', '0766000009', '--admin'];
    const ended = await Promise.all(['', '\n', 'password123'].map((input) => run(args, input)));
    expect(ended.map(({ code }) => code)).toEqual([1, 1, 1]);
    expect(ended.map(({ out, error }) => out + error)).toEqual([
      'Nothing was done: No password was given; nothing was changed.\n',
      'Nothing was done: Password must be at least 8 characters\n',
      'Nothing was done: This password is too easy to guess. Choose another one\n',
    ]);
    expect((await logIn('0766000009', 'password123')).body.code).toBe('LOGIN_FAILED');
  });
});

describe('grant and revoke', () => {
  it('give a permission for the next call, and remove it together with the sessions', async () => {
    const { person, caller } = await buildSignedIn(app, { username: '0766000011' });
    const granted = await run(['grant', '--username', '0766000011', '--perm', 'kadmin']);
    expect(granted).toEqual({ code: 0, out: '0766000011 now has KADMIN.\n', error: '' });
    expect((await caller.get('/users/session')).body.user.perms).toEqual(['KADMIN']);
    expect((await run(['grant', '--username', '0766000011', '--perm', 'KADMIN'])).code).toBe(0);
    const revoked = await run(['revoke', '--username', '0766000011', '--perm', 'KADMIN']);
    expect(revoked).toEqual({ code: 0, out: '0766000011 now has no permission.\n', error: '' });
    expect((await caller.get('/users/session')).status).toBe(401);
    const events = await eventsOf(person.tag);
    expect(events.map(({ action, after, ip }) => [action, after, ip])).toMatchObject([
      ['person.roles-set', { perms: ['KADMIN'] }, 'command line'],
      ['person.roles-set', { perms: [] }, 'command line'],
    ]);
  });

  it('report why they do nothing', async () => {
    await buildPerson(app, { username: '0766000012', status: 'Pending' });
    const [pending, nobody] = await Promise.all([
      run(['grant', '--username', '0766000012', '--perm', 'KADMIN']),
      run(['revoke', '--username', 'nobody@kasente.test', '--perm', 'KADMIN']),
    ]);
    expect(pending).toEqual({
      code: 1,
      out: '',
      error: 'Nothing was done: This person has not confirmed their phone or email yet\n',
    });
    expect(nobody).toEqual({
      code: 1,
      out: '',
      error: 'Nothing was done: There is no user nobody@kasente.test.\n',
    });
  });
});

describe('reset-password', () => {
  it('sets it, ends all sessions and ends throttling', async () => {
    const { person, caller } = await buildSignedIn(app, { username: '0766000021', perms: ['KSTAF'] });
    for (let wrong = 0; wrong < 10; wrong += 1) await logIn('0766000021', 'not the password');
    expect((await logIn('0766000021', TEST_PASSWORD)).status).toBe(429);
    const ended = await run(['reset-password', '--username', '0766000021'], `${PASSWORD}\n`);
    expect(ended).toEqual({
      code: 0,
      out: '0766000021 has the new password and is logged out everywhere.\n',
      error: '',
    });
    expect((await caller.get('/users/session')).status).toBe(401);
    expect((await stored('0766000021')).permissions).toEqual(['KSTAF']);
    expect((await eventsOf(person.tag)).map(({ action }) => action)).toEqual(['person.password-set']);
    expect(await app.platform.passwords.compare((await stored('0766000021')).password_hash, PASSWORD)).toBe('right');
  });
});

describe('reset-second-factor', () => {
  it('removes it, ends all sessions and notifies the user once', async () => {
    const { person, caller } = await buildEnrolled(app);
    const { username } = person;
    const ended = await run(['reset-second-factor', '--username', username]);
    expect(ended).toEqual({
      code: 0,
      out: `${username} has no second factor any more and is logged out everywhere.\n`,
      error: '',
    });
    expect((await caller.get('/users/session')).status).toBe(401);
    expect((await logIn(username, TEST_PASSWORD)).status).toBe(200);
    expect((await eventsOf(person.tag)).map(({ action, ip }) => [action, ip])).toEqual([
      ['person.second-factor-reset', 'command line'],
    ]);
    const again = await run(['reset-second-factor', '--username', username]);
    expect(again).toEqual({ code: 1, out: '', error: `Nothing was done: ${username} has no second factor.\n` });
  });
});

describe('the command line', () => {
  it('prints the usage with exit code 2 if it is invalid, and repeats no password', async () => {
    const args = ['create', '--username', '0766000031', '--password', 'Secret-123'];
    const [none, wrong] = await Promise.all([run([]), run(args, PASSWORD)]);
    for (const { code, out, error } of [none, wrong]) {
      expect(code).toBe(2);
      expect(out + error).toContain('Usage: npm run user -- <command> --username');
    }
    expect(wrong.error.split('\n', 1)).toEqual(["Unknown option '--password'."]);
    expect(wrong.out + wrong.error).not.toContain('Secret-123');
  });

  it('is explained on request', async () => {
    const { code, out } = await run(['--help']);
    expect(code).toBe(0);
    for (const word of [
      'create',
      'grant',
      'revoke',
      'reset-password',
      'reset-second-factor',
      '--admin',
      'DATABASE_URL',
      'Exit codes',
    ]) {
      expect(out).toContain(word);
    }
  });

  it('reports faults of the settings or the database in a sentence', async () => {
    const wrong = await run(['grant', '--username', '0766000031', '--perm', 'KSTAF'], '', { PORT: 'many' });
    expect([wrong.code, wrong.error]).toEqual([1, 'Nothing was done: PORT must be a whole number from 0 to 65535.\n']);
    const unreachable = { DATABASE_URL: 'postgres://kasente:hidden@127.0.0.1:1/kasente' };
    const ended = await run(['grant', '--username', '0766000031', '--perm', 'KSTAF'], '', unreachable);
    expect(ended.code).toBe(1);
    expect(ended.error).toMatch(/^Nothing was done: the database 127\.0\.0\.1:1\/kasente cannot be used .*\n$/);
    expect(ended.error).not.toContain('hidden');
  });
});

describe('on the embedded database', () => {
  it('works with a running server, and after it has stopped', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kasente-user-'));
    await chmod(folder, 0o755);
    try {
      const settings = {
        NODE_ENV: 'development',
        PORT: '0',
        DATA_DIR: folder,
        LOG_LEVEL: 'silent',
        SEED: 'none',
        SECRET_KEY: TEST_SECRET,
      };
      const server = await startServer(readConfig(settings), () => undefined);
      const created = await run(['create', '--username', 'admin@kasente.test', '--admin'], PASSWORD, settings);
      expect(created).toMatchObject({ code: 0, error: '' });
      await server.stop();
      const granted = await run(['grant', '--username', 'admin@kasente.test', '--perm', 'KSTAF'], '', settings);
      expect(granted).toMatchObject({ code: 0, out: 'admin@kasente.test now has KADMIN and KSTAF.\n' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
