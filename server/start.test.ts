import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '#server/config/config.ts';
import { createLog } from '#server/observability/logging.ts';
import { startServerProcess } from '#testing/servers/server-process.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { until } from '#testing/until.ts';
import { outputOf, processesIn, startsInFolder, stop } from './start.harness.ts';
import { warnOfProxy } from './start.ts';

/** Runs `server/main.mjs` as a process, as `npm start` does. */

const starts = startsInFolder();

/** The status of a login with the demonstration's password. */
async function logIn(address: string, username: string): Promise<number> {
  const { status } = await fetch(`${address}/api/v1/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'Kasente-demo-1' }),
  });
  return status;
}

describe('the first start', () => {
  it('seeds the demonstration, says who may log in, and serves; the second finds it there', async () => {
    const first = await starts.start();
    for (const username of ['admin@kasente.test', 'staff@kasente.test', '0700000001', '0700000002']) {
      expect(first.output).toContain(username);
      expect(await logIn(first.address, username)).toBe(200);
    }
    expect((await fetch(`${first.address}/livez`)).status).toBe(200);
    expect((await fetch(`${first.address}/readyz`)).status).toBe(200);
    expect((await fetch(`${first.address}/metrics`)).status).toBe(200);
    const throughProxy = await fetch(`${first.address}/metrics`, { headers: { 'x-forwarded-for': '41.75.160.1' } });
    expect(throughProxy.status).toBe(404);
    expect(await stop(first.child, 'SIGTERM')).toBe(0);
    expect(processesIn(starts.folder)).toEqual([]);
    await starts.keep();

    const second = await starts.start();
    expect(await logIn(second.address, '0700000001')).toBe(200);
    expect(await stop(second.child, 'SIGINT')).toBe(0);
  });

  it('leaves an empty database empty with SEED=none', async () => {
    const { address, output } = await starts.start({ SEED: 'none' });
    expect(output).not.toContain('admin@kasente.test');
    expect(await logIn(address, 'admin@kasente.test')).toBe(401);
  });
});

describe('what is in force', () => {
  it('is one line of the log, without a secret', async () => {
    const { output } = await starts.start({
      LOG_LEVEL: 'info',
      SEED: 'none',
      DEMONSTRATION: 'others',
      SECRET_KEY: 'the secret of the settings, which nobody may read',
      SMTP_URL: 'smtps://kasente:Smtp-password-1@mail.example.com',
      SMS_USERNAME: 'kasente',
      SMS_API_KEY: 'atsk_secret',
      TRUST_PROXY: '1',
      STORAGE_URL: 's3://AKIA:Bucket-secret-1@documents/prefix?endpoint=http://127.0.0.1:1',
    });
    const lines = output.split('\n').filter((line) => line.includes('"in force"'));
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        commit: expect.stringMatching(/^\w+(-changed\.[0-9a-f]{8})?$/),
        environment: 'development',
        database: {
          at: `${starts.folder}/postgres (embedded)`,
          role: 'kasente_server',
          name: 'kasente',
          postgres: expect.stringMatching(/^18\./),
        },
        store: 's3://documents/prefix at 127.0.0.1:1',
        mail: 'mail.example.com from Kasente <no-reply@kasente.test>',
        texts: 'api.africastalking.com as kasente, sender none',
        proxy: '1 in front',
      }),
    ]);
    // A bucket that is away does not prevent a start.
    expect(output).toContain('the store is unreachable');
    for (const secret of ['nobody may read', 'Smtp-password-1', 'atsk_secret', 'Bucket-secret-1']) {
      expect(output).not.toContain(secret);
    }
  });
});

describe('what does not belong together', () => {
  it('is refused by the next start: another store, and another secret', async () => {
    await starts.hasRunBefore();
    const store = join(starts.folder, 'documents');
    await rename(store, join(starts.folder, 'set-aside'));
    const elsewhere = await starts.ending({});
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.output).toMatch(
      /^Kasente did not start: the document store does not belong to this database: it has none of [^\n]+\n$/,
    );
    await rm(store, { recursive: true });
    await rename(join(starts.folder, 'set-aside'), store);
    const { code, output } = await starts.ending({ SECRET_KEY: 'another secret than that of this data folder' });
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(
        /^Kasente did not start: SECRET_KEY [^\n]+ is not the secret that this database was filled with\. [^\n]+\n$/,
      ),
    ]);
    await stop((await starts.start()).child, 'SIGTERM');
  });
});

describe('proxies in front of it', () => {
  const HTTPS = { PUBLIC_URL: 'https://kasente.test' };
  const SHARED = 'all users share one address limit';
  const OPEN = 'TRUST_PROXY believes everybody who connects';
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it.each<[Record<string, string>, string[]]>([
    [HTTPS, [SHARED]],
    [{ ...HTTPS, TRUST_PROXY: '127.0.0.1' }, []],
    [{ PUBLIC_URL: 'http://kasente.test' }, []],
    [{ TRUST_PROXY: '1', HOST: '0.0.0.0' }, [OPEN]],
    [{ TRUST_PROXY: '1', HOST: '127.0.0.1' }, []],
  ])('are warned of where nobody named them, or where one can go past them: %o', (env, warnings) => {
    const warn = vi.fn<(line: string) => void>();
    warnOfProxy(readConfig({ DEMONSTRATION: 'others', ...env }), createLog('warn', { write: warn }));
    expect([SHARED, OPEN].filter((warning) => String(warn.mock.calls).includes(warning))).toEqual(warnings);
  });

  it('are warned of at the start', async () => {
    const server = await startServerProcess(database, { env: { DEMONSTRATION: 'others', SEED: 'none', ...HTTPS } });
    expect(server.output()).toContain(SHARED);
    expect(server.output()).not.toContain('/dev/messages');
    await server.stop();
  });
});

describe('PostgreSQL killed under it', () => {
  it('ends it with exit code 1, so that a service manager starts it again', async () => {
    await starts.hasRunBefore();
    const { child } = await starts.start();
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    process.kill(await postmasterOf(starts.folder), 'SIGKILL');
    expect(await ended).toBe(1);
    const again = await starts.start();
    expect((await fetch(`${again.address}/readyz`)).status).toBe(200);
  });
});

describe('Ctrl-C', () => {
  it('stops in order, though a terminal and npm both send it', async () => {
    await starts.hasRunBefore();
    const { child } = await starts.start();
    const output = outputOf(child);
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect(await stop(child, 'SIGINT')).toBe(0);
    expect(output()).not.toContain('second');
  });

  it('ends it at once if it is pressed again a second later', async () => {
    await starts.hasRunBefore();
    const { child } = await starts.start({ DRAIN_SECONDS: '60' });
    const output = outputOf(child);
    const began = performance.now();
    await until(async () => {
      child.kill('SIGINT');
      return child.exitCode !== null;
    });
    expect([child.exitCode, output()]).toEqual([1, expect.stringContaining('second SIGINT, exiting')]);
    expect(performance.now() - began).toBeGreaterThan(1000);
  });
});

async function postmasterOf(dataDir: string): Promise<number> {
  const lock = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  return Number(lock.split('\n', 1)[0]);
}

describe('what keeps it from starting is one sentence', () => {
  it('for a busy port', async () => {
    await starts.hasRunBefore();
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const bound = holder.address();
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
    const { code, output } = await starts.ending({ PORT: String(port) });
    holder.close();
    expect(code).toBe(1);
    const withoutLog = output.replaceAll(/^\{.*\}\n/gm, '');
    expect(withoutLog).toBe(
      `Kasente did not start: port ${port} is taken by another program. Stop that one, or choose another port, such as PORT=${port + 1} npm start.\n`,
    );
    expect(processesIn(starts.folder)).toEqual([]);
  });

  it('a database that cannot be reached, without its password', async () => {
    const { code, output } = await starts.ending({ DATABASE_URL: 'postgres://kasente:s3cret@127.0.0.1:1/kasente' });
    expect(code).toBe(1);
    expect(output).toMatch(
      /^Kasente did not start: the database 127\.0\.0\.1:1\/kasente cannot be used \(.+\)\. Check that it runs and that DATABASE_URL is right\.\n$/,
    );
    expect(output).not.toContain('s3cret');
  });

  it.each<[string, Record<string, string>]>([
    ['of the database', { DATA_DIR: '/proc/kasente' }],
    [
      'beside a database elsewhere',
      {
        DATA_DIR: '/proc/version/kasente',
        SECRET_KEY: 's'.repeat(32),
        DATABASE_URL: 'postgres://kasente:s3cret@127.0.0.1:1/kasente',
      },
    ],
  ])('a data folder that cannot be made: %s', async (_, env) => {
    const { code, output } = await starts.ending(env);
    expect(code).toBe(1);
    expect(output).toMatch(
      /^Kasente did not start: the data folder \/proc\/\S+ cannot be written to \([^\n]+\)\. Give this user the right to, or name another with DATA_DIR\.\n$/,
    );
  });

  it.each<[string, Record<string, string>, RegExp]>([
    [
      'a witness in no folder',
      { AUDIT_WITNESS: '/proc/version/none' },
      /^AUDIT_WITNESS must be a file that this user may write to, in a folder that exists; \/proc\/version\/none is not \(ENOTDIR[^\n]+\)\.$/,
    ],
    [
      'a witness that is a folder',
      { AUDIT_WITNESS: '/proc' },
      /^AUDIT_WITNESS must be a file that this user may write to, in a folder that exists; \/proc is not \(EISDIR[^\n]+\)\.$/,
    ],
    [
      'a store without a key',
      { STORAGE_URL: 's3://documents', AWS_EC2_METADATA_DISABLED: 'true' },
      /^STORAGE_URL names a bucket without a key \([^\n]+\)\. Write s3:\/\/key:secret@bucket\/prefix, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY\.$/,
    ],
    [
      'a witness without a key',
      { AUDIT_WITNESS: 's3://documents', AWS_EC2_METADATA_DISABLED: 'true' },
      /^AUDIT_WITNESS names a bucket without a key /,
    ],
    [
      'certificates that are not there',
      { DATABASE_URL: 'postgres://kasente:s3cret@127.0.0.1:1/kasente?sslrootcert=/absent/ca.pem' },
      /^DATABASE_URL: its sslrootcert must be a file that this user may read \(ENOENT[^\n]+\)\.$/,
    ],
    [
      'authorities that are not there',
      { NODE_EXTRA_CA_CERTS: '/absent/ca.pem' },
      /^NODE_EXTRA_CA_CERTS must be a file of certificates that this user may read \(ENOENT[^\n]+\)\.$/,
    ],
    [
      'authorities that are none',
      { NODE_EXTRA_CA_CERTS: 'package.json' },
      /^NODE_EXTRA_CA_CERTS must be a file of certificates that this user may read \([^\n]+\)\.$/,
    ],
  ])('for what only its first use would find: %s', async (_, env, sentence) => {
    const { code, output } = await starts.ending(env);
    const told = output
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('(') && !line.startsWith('Warning'));
    expect([code, told.at(-1)]).toEqual([1, expect.stringMatching(/^Kasente did not start: /)]);
    expect(told.at(-1)?.slice('Kasente did not start: '.length)).toMatch(sentence);
  });

  it('for NODE_ENV=test', async () => {
    expect((await starts.ending({ NODE_ENV: 'test' })).output).toContain('NODE_ENV must be development or production.');
  });

  it('a damaged data folder, which stays as it is', async () => {
    await starts.hasRunBefore();
    await writeFile(join(starts.folder, 'postgres', 'PG_VERSION'), 'nonsense');
    const before = await readdir(join(starts.folder, 'postgres'));
    const { code, output } = await starts.ending({});
    expect(code).toBe(1);
    expect(output).toMatch(/^Kasente did not start: [^\n]+\n$/);
    expect(await readdir(join(starts.folder, 'postgres'))).toEqual(before);
    expect(await readFile(join(starts.folder, 'postgres', 'PG_VERSION'), 'utf8')).toBe('nonsense');
  });
});
