import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseUrl, SHARED_SECRET, startServerProcess } from '#testing/servers/server-process.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { runAnnounced } from './tool.harness.ts';

/** `npm run demonstration` and `npm run messages` on a database in DATABASE_URL. */

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kasente-demonstration-'));
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function run(script: 'demonstration' | 'messages', args: readonly string[], env: Record<string, string> = {}) {
  const DATABASE_URL = databaseUrl(database.name);
  const settings = { NODE_ENV: 'development', DATA_DIR: folder, DATABASE_URL, SECRET_KEY: SHARED_SECRET };
  return runAnnounced(script, args, { ...settings, ...env });
}

describe('npm run demonstration', () => {
  it('prints its usage', async () => {
    for (const args of [[], ['everything'], ['create', 'reset'], ['create', '--everything-in', 'x'], ['--into']]) {
      const { code, error } = await run('demonstration', args);
      expect([args, code]).toEqual([args, 2]);
      expect(error).toContain('Usage: npm run demonstration -- <command>');
    }
  });

  it('refuses in production', async () => {
    const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://kasente.example' };
    const { code, error } = await run('demonstration', ['reset', '--everything-in', database.name], production);
    expect([code, error]).toEqual([
      1,
      'Nothing was done: the demonstration’s passwords are public: never use it in production.\n',
    ]);
  });

  it('creates and resets it, and its people can log in each time', async () => {
    const logsIn = async () => {
      const server = await startServerProcess(database, { env: { DATA_DIR: folder } });
      const login = { username: '0700000001', password: 'Kasente-demo-1' };
      const { status } = await fetch(`${server.address}/api/v1/users/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(login),
      });
      await server.stop();
      return status;
    };
    const created = await run('demonstration', ['create']);
    expect([created.code, created.error]).toEqual([0, '']);
    expect(created.out).toContain('The password of each is Kasente-demo-1');
    expect(await logsIn()).toBe(200);
    expect(await run('demonstration', ['create'])).toMatchObject({
      code: 1,
      error: `Nothing was done: somebody is in the database ${database.name} already: reset puts the demonstration back as it was.\n`,
    });
    await database.db.destroy(); // a reset requires that no server is connected
    expect(await run('demonstration', ['reset'])).toMatchObject({ code: 0, error: '' });
    expect(await logsIn()).toBe(200);
  });
});

describe('npm run messages -- dead', () => {
  it('lists recipients, subjects and reasons, but no texts', async () => {
    expect(await run('messages', ['dead'])).toEqual({ code: 0, error: '', out: 'No message died.\n' });
    const { db } = database.owner;
    const common = {
      created_at: new Date('2026-11-20T09:00:00Z'),
      subject: 'Your Kasente PIN',
      body: Buffer.from('48213'),
    };
    await db
      .insertInto('messages')
      .values([
        {
          ...common,
          channel: 'email',
          recipient: 'amina@example.com',
          state: 'failed',
          last_error: '550 no such user',
        },
        {
          ...common,
          channel: 'sms',
          recipient: '0700000001',
          state: 'expired',
          expires_at: new Date('2026-11-20T09:05:00Z'),
        },
        { ...common, channel: 'sms', recipient: '0700000002' },
      ])
      .execute();
    const { code, out } = await run('messages', ['dead']);
    expect([code, out.split('\n').sort()]).toEqual([
      0,
      [
        '',
        '2026-11-20T09:00:00.000Z\temail\tamina@example.com\tYour Kasente PIN\t550 no such user',
        '2026-11-20T09:00:00.000Z\tsms\t0700000001\tYour Kasente PIN\texpired before it was sent',
      ],
    ]);
    expect(out).not.toContain('48213');
  });

  it('prints its usage, and reports errors', async () => {
    expect(await run('messages', ['living'])).toMatchObject({ code: 2, error: expect.stringContaining('Usage:') });
    const away = { DATABASE_URL: 'postgres://kasente:s3cret@127.0.0.1:1/kasente' };
    const { code, error } = await run('messages', ['dead'], away);
    expect([code, error]).toEqual([1, expect.stringMatching(/^The messages could not be listed: the database 127/)]);
    expect(error).not.toContain('s3cret');
  });
});
