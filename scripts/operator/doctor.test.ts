import { watch } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { readConfig } from '#server/config/config.ts';
import { joinInstallation } from '#server/installation/installation.ts';
import { BASELINE, recordApplied } from '#server/migrations/record.ts';
import { findRailKinds } from '#server/rails/open-rails.ts';
import { ScriptedProvider } from '#server/rails/scripted-provider.harness.ts';
import { freePort } from '#testing/free-port.ts';
import { startClamav } from '#testing/servers/clamav.ts';
import { installedCopy } from '#testing/servers/installed-copy.ts';
import { listenOnFreePort } from '#testing/servers/listening.ts';
import { MailServer } from '#testing/servers/mail-server.ts';
import { startS3 } from '#testing/servers/s3-server.ts';
import { SmsGateway } from '#testing/servers/sms-gateway.ts';
import { createTestPlatform, TEST_SECRET, type TestPlatform } from '#testing/test-platform.ts';
import { lookAtEverything } from './doctor-checks.ts';
import { runTool } from './tool.harness.ts';

/** `npm run doctor` with real services: mostly its checks in this process, which is faster, sometimes as a process. */

const report = z.object({
  ok: z.boolean(),
  version: z.string(),
  checks: z.array(
    z.strictObject({ name: z.string(), state: z.string(), found: z.string(), todo: z.string().optional() }),
  ),
});

let test: TestPlatform;
let folder: string;
beforeAll(async () => {
  test = await createTestPlatform();
  (await joinInstallation(test.platform, () => undefined))();
});
afterAll(() => test.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kasente-doctor-test-'));
  await mkdir(join(folder, 'documents'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Settings of a complete server. */
function settings(): Record<string, string> {
  const { host, port, user } = inject('cluster');
  const query = `host=${encodeURIComponent(host)}`;
  const base = `localhost:${port}/${test.database.name}?${query}`;
  return {
    DATABASE_URL: `postgres://kasente_server@${base}`,
    DATABASE_OWNER_URL: `postgres://${user}@${base}`,
    DATA_DIR: folder,
    SECRET_KEY: TEST_SECRET,
    DEMONSTRATION: 'others',
  };
}

const run = (args: readonly string[], env: Record<string, string>) => runTool('doctor', args, env, { cwd: folder });

/** The findings of the command, by the check's name, and its exit code. */
async function runFor(more: Record<string, string>) {
  const { code, out, error } = await run(['--json'], { ...settings(), ...more });
  expect(error).toBe('');
  const { ok, checks } = report.parse(JSON.parse(out));
  expect(code).toBe(ok ? 0 : 1);
  return { code, found: byName(checks) };
}

/** The same findings, without a process. */
async function examine(more: Record<string, string> = {}) {
  const checks = await lookAtEverything(readConfig({ ...settings(), ...more }, await findRailKinds()));
  return { found: byName(checks) };
}

function byName<Check extends { readonly name: string }>(checks: readonly Check[]) {
  return Object.fromEntries(checks.map(({ name, ...found }) => [name, found]));
}

describe('npm run doctor', () => {
  it('finds no faults in a complete server, and changes nothing', async () => {
    const [mail, gateway] = [await new MailServer().listen(), await new SmsGateway().listen()];
    gateway.answer = () => ({ status: 200, body: { UserData: { balance: 'UGX 1785.50' } } });
    const s3 = await startS3();
    try {
      const { code, found } = await runFor({ ...gateway.settings, SMTP_URL: mail.url, STORAGE_URL: s3.storageUrl });
      expect([code, Object.values(found).filter(({ state }) => state === 'wrong')]).toEqual([0, []]);
      expect(found.database?.found).toMatch(
        new RegExp(`PostgreSQL 18\\.\\d+, database ${test.database.name}, role kasente$`),
      );
      expect(found.rights).toMatchObject({
        state: 'right',
        found: 'the server works as kasente_server, which owns nothing',
      });
      expect(found.migrations).toEqual({
        state: 'right',
        found: 'all were run, and the schema is as they made it',
      });
      expect(found.secret).toEqual({ state: 'right', found: 'that of this database' });
      expect(found.store?.found).toBe(
        `s3://documents/some/prefix at ${new URL(s3.storageUrl).searchParams.get('endpoint')?.slice(7)}: a file was written, read and removed`,
      );
      expect(found.texts?.found).toContain('the balance is UGX 1785.50');
      expect(gateway.requests.all.map(({ method, path, headers }) => [method, path, headers.apikey])).toEqual([
        ['GET', '/version1/user?username=kasente', 'atsk_secret'],
      ]);
      expect(found.mail?.found).toContain('it lets us in');
      expect([mail.mails.all, await s3.keys()]).toEqual([[], []]);
      expect(await readdir(folder, { recursive: true })).toEqual(['documents']);
    } finally {
      await Promise.all([mail.close(), gateway.close(), s3.close()]);
    }
  });

  it('finds a web application that is not built, which keeps a server in production from starting', async () => {
    const checkout = installedCopy();
    const production = { ...settings(), DEMONSTRATION: '', NODE_ENV: 'production', PUBLIC_URL: 'https://kasente.test' };
    const web = async () => {
      const { code, out } = await runTool('doctor', ['--json'], production, { cwd: folder, checkout });
      return { code, ...byName(report.parse(JSON.parse(out)).checks).web };
    };
    expect(await web()).toMatchObject({ state: 'right' });
    await rm(join(checkout, 'dist'), { recursive: true });
    expect(await web()).toMatchObject({
      code: 1,
      state: 'wrong',
      found: expect.stringMatching(/^the web application is not built: .* Run npm run build in /),
    });
  });

  it('leaves no folder in a store on disk that another user’s server could not list', async () => {
    const seen = new Set<string>();
    const watcher = watch(join(folder, 'documents'), (_event, name) => seen.add(String(name)));
    try {
      const { found } = await examine();
      expect(found.store).toEqual({
        state: 'right',
        found: `${join(folder, 'documents')}: a file was written, read and removed`,
      });
    } finally {
      watcher.close();
    }
    expect(await readdir(folder, { recursive: true })).toEqual(['documents']);
    expect([...seen].filter((name) => !/^(inbox|doctor-[\da-f]{32})$/.test(name))).toEqual([]);
    await mkdir(join(folder, 'documents', 'inbox'));
    await examine();
    expect(await readdir(join(folder, 'documents'))).toEqual(['inbox']);
  });

  it('prints the same in words and in JSON, and refuses unknown arguments', async () => {
    const { code, out } = await run([], settings());
    expect(code).toBe(0);
    expect(out).toMatch(/^right {6}settings .*\nright {6}database /);
    expect(await run(['--what'], {})).toEqual({
      code: 2,
      out: '',
      error: 'Usage: npm run doctor -- [--json] [--env-file <file>]\n',
    });
  });

  it('finds a wrong setting, another secret and a role with too many rights', async () => {
    const wrong = await runFor({ STORAGE_ULR: 's3://documents' });
    expect(wrong.code).toBe(1);
    expect(wrong.found.settings?.found).toBe('STORAGE_ULR is no setting of Kasente: did you mean STORAGE_URL?');
    const secret = await examine({ SECRET_KEY: 'x'.repeat(32) });
    expect(secret.found.secret).toMatchObject({ state: 'wrong' });
    const { db } = test.database.owner;
    const role = `doctor_${process.pid}`;
    await sql`create role ${sql.id(role)} superuser login`.execute(db);
    const rights = await examine({ DATABASE_URL: settings().DATABASE_URL?.replace(/\/\/[^@/]+@/, `//${role}@`) ?? '' });
    await sql`drop role ${sql.id(role)}`.execute(db);
    expect(rights.found.rights).toMatchObject({
      state: 'wrong',
      found: expect.stringContaining(`the role "${role}" may do everything`),
    });
  });

  it('warns of pending migrations, and finds a database of a release before 1.1.0 faulty', async () => {
    const { db } = test.database.owner;
    await sql`update kysely_applied set name = '-' || name where name > ${BASELINE}`.execute(db);
    const pending = await examine();
    await sql`update kysely_applied set name = '-' || name where name = ${BASELINE}`.execute(db);
    const older = await examine();
    await sql`update kysely_applied set name = ltrim(name, '-')`.execute(db);
    expect([pending, older].map(({ found }) => [found.migrations?.state, found.migrations?.found])).toEqual([
      ['warning', expect.stringContaining('are pending, 0060-without-copies first')],
      ['wrong', expect.stringContaining('was made by a release before 1.1.0, or by none: start 1.1.0 on it once')],
    ]);
  });

  it('warns of a newer release’s compatible database, and finds an incompatible one faulty', async () => {
    const { db } = test.database.owner;
    await recordApplied(db, '9998-adds', { up: async () => undefined });
    const newer = await examine();
    await recordApplied(db, '9999-takes-away', { up: async () => undefined, oldestRelease: '999.0.0' });
    const breaking = await examine();
    await sql`delete from kysely_applied where name like '999%'`.execute(db);
    await sql`delete from kysely_migration where name like '999%'`.execute(db);
    expect(newer.found.migrations).toEqual({
      state: 'warning',
      found: 'a newer release has run 9998-adds, after which this one works, too',
      todo: 'install that release here as well: the other tools of this one refuse its database',
    });
    const { state, found } = breaking.found.migrations ?? {};
    expect([state, found]).toEqual(['wrong', expect.stringContaining('9999-takes-away none before 999.0.0 works')]);
  });

  it('finds manual changes to the schema', async () => {
    const { db } = test.database.owner;
    await sql`drop index invoices_of_business`.execute(db);
    const lacking = await examine();
    expect(lacking.found.migrations).toMatchObject({
      state: 'wrong',
      found: 'the schema lacks index invoices_of_business',
    });
    await sql`create index invoices_of_business on invoices (business_id)`.execute(db);
    const altered = await runFor({});
    expect([altered.code, altered.found.migrations]).toMatchObject([
      0,
      { state: 'warning', found: 'the schema differs: index invoices_of_business' },
    ]);
  });

  it('tests the virus scanner with a test file', async () => {
    const clamav = await startClamav(Buffer.from('EICAR-STANDARD-'));
    const CLAMAV_URL = clamav.url;
    try {
      const { found } = await examine({ CLAMAV_URL });
      expect(found['virus scan']).toEqual({ state: 'right', found: 'ClamAV finds the test file' });
      clamav.behave('fail');
      const failing = await examine({ CLAMAV_URL });
      expect(failing.found['virus scan']?.state).toBe('wrong');
    } finally {
      await clamav.close();
    }
    const away = await examine({ CLAMAV_URL });
    expect(away.found['virus scan']?.state).toBe('wrong');
  });

  it('finds an unavailable database, still runs the other checks, and shows no password', async () => {
    const url = 'postgres://kasente:hidden@127.0.0.1:1/kasente';
    const { out } = await run(['--json'], { DATABASE_URL: url, DATA_DIR: folder, SECRET_KEY: TEST_SECRET });
    expect(out).not.toContain('hidden');
    const { checks } = report.parse(JSON.parse(out));
    const states = Object.fromEntries(checks.map(({ name, state }) => [name, state]));
    expect(states).toMatchObject({ database: 'wrong', migrations: 'not tried', store: 'right', disk: 'right' });
  });

  it('finds wrong credentials for mail and texts, and a missing or foreign store', async () => {
    const mail = await new MailServer({
      onAuth: (_auth, _session, answer) => answer(new Error('535 no')),
      authOptional: false,
    }).listen();
    const gateway = await new SmsGateway().listen();
    gateway.answer = () => ({ status: 401, body: 'The supplied authentication is invalid' });
    await writeFile(join(folder, 'documents', 'installation.txt'), 'f0f0f0f0-0000-4000-8000-000000000000\n');
    try {
      const away = 's3://S3RVER:S3RVER@documents?endpoint=http://127.0.0.1:1';
      const SMTP_URL = mail.url.replace('//', '//kasente:wrong@');
      const { found } = await examine({ ...gateway.settings, SMTP_URL, STORAGE_URL: away });
      expect([found.mail?.state, found.store?.state]).toEqual(['wrong', 'wrong']);
      expect(found.texts).toMatchObject({
        state: 'wrong',
        found: expect.stringContaining('the provider answered 401'),
      });
      const foreign = await examine();
      expect(foreign.found.store?.found).toMatch(
        /^the document store does not belong to this database: its mark belongs to another one/,
      );
    } finally {
      await Promise.all([mail.close(), gateway.close()]);
    }
  });
});

describe('mobile money', () => {
  const keys = Object.fromEntries(
    ['DISBURSEMENT', 'COLLECTION'].flatMap((product) => [
      [`MTN_${product}_SUBSCRIPTION_KEY`, `subscription-key-of-${product}`],
      [`MTN_${product}_API_USER`, 'c72025f5-5cd1-4630-99e4-8ba4722fad56'],
      [`MTN_${product}_API_KEY`, `api-key-of-${product}`],
    ]),
  );

  it('is tested in both directions with an unknown payment, and refused keys are found', async () => {
    const provider = new ScriptedProvider(/\/token\/$/);
    const missing = { status: 404, json: { code: 'RESOURCE_NOT_FOUND', message: 'no such reference' } };
    const refused = { status: 401, json: { message: 'Access denied due to invalid subscription key' } };
    provider.answer = () => missing;
    try {
      const env = { ...keys, MTN_URL: await provider.listen() };
      const right = await examine(env);
      expect(right.found.rails).toEqual({ state: 'right', found: 'MTN mobile money lets us in, both ways' });
      const asked = provider.calls.all.map(({ method, path }) => `${method} ${path.replace(/[\da-f-]{36}$/, '')}`);
      expect(asked).toEqual(['GET /disbursement/v1_0/transfer/', 'GET /collection/v1_0/requesttopay/']);
      provider.answer = ({ path }) => (path.startsWith('/collection') ? refused : missing);
      const wrong = await examine(env);
      expect(wrong.found.rails).toMatchObject({
        state: 'wrong',
        found: 'MTN mobile money, requests to pay: answered 401',
      });
    } finally {
      await provider.close();
    }
    expect((await examine()).found.rails).toEqual({
      state: 'right',
      found: 'none has settings: payouts are made by hand',
    });
  });
});

describe('the proxy in front', () => {
  /** A proxy to that port, which adds these headers. */
  async function startProxy(port: number, headers: Record<string, string>) {
    const server = createServer((incoming, outgoing) => {
      const passed = request({ host: '127.0.0.1', port, path: incoming.url, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502);
        answer.pipe(outgoing);
      });
      passed.on('error', () => outgoing.writeHead(502).end());
      passed.end();
    });
    const at = await listenOnFreePort(server);
    return { url: `http://127.0.0.1:${at}`, close: () => server.close() };
  }

  it.each([
    [{ 'x-forwarded-for': '41.75.160.1' }, { TRUST_PROXY: '1' }, 'right', 'the proxy at 127.0.0.1 is believed'],
    [{ 'x-forwarded-for': '41.75.160.1' }, { TRUST_PROXY: '127.0.0.0/8' }, 'right', 'is believed'],
    [
      { 'x-forwarded-for': '41.75.160.1' },
      { TRUST_PROXY: '10.0.0.1' },
      'wrong',
      'everybody would count as one address',
    ],
    [{ 'x-forwarded-for': '41.75.160.1' }, {}, 'wrong', 'TRUST_PROXY is none, and a proxy at 127.0.0.1 is in front'],
    [{}, { TRUST_PROXY: '1' }, 'wrong', 'has no X-Forwarded-For'],
    [{}, {}, 'right', 'nothing in front changes it'],
  ])('that sends %o with %o is judged', async (headers, more, state, words) => {
    const port = await freePort();
    const proxy = await startProxy(port, Object.fromEntries(Object.entries(headers)));
    try {
      const { found } = await examine({
        ...Object.fromEntries(Object.entries(more)),
        HOST: '127.0.0.1',
        PORT: String(port),
        PUBLIC_URL: proxy.url,
      });
      expect(found.proxy).toMatchObject({ state, found: expect.stringContaining(words) });
    } finally {
      proxy.close();
    }
  });

  it('may need a successful /readyz first', async () => {
    const port = await freePort();
    const behind = await startProxy(port, {});
    let isUp = false;
    const checking = createServer((incoming, outgoing) => {
      if (!isUp) {
        outgoing.writeHead(503).end();
        void fetch(`${behind.url}/readyz`).then(({ status }) => {
          isUp = status === 200;
        });
        return;
      }
      const passed = request(`${behind.url}${incoming.url}`, (answer) => answer.pipe(outgoing));
      passed.on('error', () => outgoing.writeHead(502).end());
      passed.end();
    });
    const PUBLIC_URL = `http://127.0.0.1:${await listenOnFreePort(checking)}`;
    try {
      const { found } = await examine({ HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL });
      expect(found.proxy).toMatchObject({ state: 'right', found: expect.stringContaining('leads here') });
    } finally {
      checking.close();
      behind.close();
    }
  });

  it('of a running server is not tested', async () => {
    const running = createServer((_, outgoing) => outgoing.writeHead(200).end());
    const PUBLIC_URL = `http://127.0.0.1:${await listenOnFreePort(running)}`;
    const { found } = await examine({ PORT: String(await freePort()), PUBLIC_URL });
    running.close();
    expect(found.proxy?.found).toContain('is tried while no server runs');
  });

  it('is faulty if it does not lead here', async () => {
    const [port, elsewhere] = [await freePort(), await freePort()];
    const now = performance.now.bind(performance);
    const hurried = vi.spyOn(performance, 'now').mockImplementation(() => 30 * now()); // the server has 15 seconds
    onTestFinished(() => hurried.mockRestore());
    const { found } = await examine({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${elsewhere}` });
    expect(found.proxy).toMatchObject({ state: 'wrong', found: expect.stringContaining('does not arrive here') });
  });
});
