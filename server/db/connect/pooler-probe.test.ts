import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makeBackup } from '#server/backup/backup.service.ts';
import { readConfig } from '#server/config/config.ts';
import { serverLogin } from '#server/db/roles/server-role.ts';
import { accountFor, spawnAs } from '#server/embedded-postgres/account.ts';
import { connectDatabase } from '#server/installation/connect.ts';
import { buildClient, saveApplication, saveInvoice } from '#server/invoices/invoices.harness.ts';
import { createLog } from '#server/observability/logging.ts';
import { openPlatform } from '#server/open-platform.ts';
import { freePort } from '#testing/free-port.ts';
import { Pooler, type PoolMode } from '#testing/servers/pooler.ts';
import { remoteCaller, SHARED_SECRET, startServerProcess } from '#testing/servers/server-process.ts';
import { appOfFile } from '#testing/test-app.ts';

/** The start detects poolers that can't work, before it creates anything. */

const LOSES =
  'the pooler that DATABASE_URL names loses prepared statements between two transactions. Set pool_mode = session; or pool_mode = transaction with PgBouncer 1.21 or later and max_prepared_statements above 0; or name PostgreSQL itself in DATABASE_URL.';
const SPLITS = LOSES.replace(
  'loses prepared statements between two transactions',
  'gives each statement another connection (pool_mode = statement)',
);

const app = appOfFile();

function urlOf(port: number): string {
  return `postgres://${inject('cluster').user}@127.0.0.1:${port}/${app.database.name}`;
}

/** The result of starting through that port. */
async function startOver(port: number): Promise<string> {
  const config = readConfig({ DATABASE_URL: urlOf(port) });
  return connectDatabase(config, createLog('silent'), () => undefined).then(
    async ({ close }) => {
      await close();
      return 'taken';
    },
    (error: Error) => error.message,
  );
}

describe('a pooler', () => {
  it.each<[PoolMode, string]>([
    ['session', 'taken'],
    ['transaction', LOSES],
    ['statement', SPLITS],
  ])('is reported if it loses prepared statements, in %s mode', async (mode, outcome) => {
    const pooler = new Pooler(mode, inject('cluster'));
    try {
      expect(await startOver(await pooler.listen())).toBe(outcome);
    } finally {
      await pooler.close();
    }
  });

  it('is not reported if there is none', async () => {
    const { host, port, user } = inject('cluster');
    const url = `postgres://localhost:${port}/${app.database.name}?host=${encodeURIComponent(host)}&user=${user}`;
    const { close } = await connectDatabase(readConfig({ DATABASE_URL: url }), createLog('silent'), () => undefined);
    await close();
  });
});

const [, major = '', minor = ''] =
  /PgBouncer (\d+)\.(\d+)/.exec(spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' }).stdout ?? '') ?? [];
/**
 * The settings to test for each version. PgBouncer can keep prepared statements since 1.21, and does by default since
 * 1.24 (Debian 13 has 1.24, Debian 12 has 1.18).
 */
const canKeep = Number(major) > 1 || Number(minor) >= 21;
const TRIED: [PoolMode, string, string][] = [
  ['session', '', 'taken'],
  ['statement', '', SPLITS],
  ...(canKeep
    ? ([
        ['transaction', 'max_prepared_statements = 100', 'taken'],
        ['transaction', 'max_prepared_statements = 0', LOSES],
      ] satisfies [PoolMode, string, string][])
    : ([['transaction', '', LOSES]] satisfies [PoolMode, string, string][])),
];

// If PgBouncer is installed, for example from Debian's package, these tests verify the stand-in above.
describe.runIf(major !== '')('PgBouncer itself', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kasente-pooler-'));
    await chmod(folder, 0o755);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function startPgBouncer(mode: PoolMode, more: string): Promise<{ child: ChildProcess; port: number }> {
    const [{ host, port: server, user }, port] = [inject('cluster'), await freePort()];
    const settings = [
      `[databases]\n* = host=${host} port=${server}\n[pgbouncer]\nlisten_addr = 127.0.0.1`,
      `listen_port = ${port}\nunix_socket_dir =\nauth_type = trust\nauth_file = ${join(folder, 'users')}\npool_mode = ${mode}`,
      more,
    ];
    const users = [user, serverLogin(urlOf(port)).role];
    await writeFile(join(folder, 'users'), users.map((name) => `"${name}" ""\n`).join(''));
    await writeFile(join(folder, mode), `${settings.join('\n')}\n`);
    const child = spawn('pgbouncer', [join(folder, mode)], {
      ...spawnAs(await accountFor(undefined)),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await new Promise<void>((resolve, reject) => {
      let said = '';
      child.stderr?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('process up')) resolve();
      });
      child.once('exit', () => reject(new Error(said)));
    });
    return { child, port };
  }

  it.each(TRIED)('gets the expected result with %s, %s', async (mode, more, outcome) => {
    const { child, port } = await startPgBouncer(mode, more);
    try {
      expect(await startOver(port)).toBe(outcome);
    } finally {
      await end(child);
    }
  });

  it.runIf(canKeep)(
    'in transaction mode serves a server and its backup with fewer connections than they open',
    async () => {
      const { child, port } = await startPgBouncer(
        'transaction',
        'max_prepared_statements = 500\ndefault_pool_size = 3',
      );
      try {
        const env = { DATABASE_URL: urlOf(port), DATA_DIR: folder };
        const server = await startServerProcess(app.database, { env });
        const clients = await Promise.all(
          Array.from({ length: 8 }, () => buildClient({ ...app, visitor: () => remoteCaller(() => server.address) })),
        );
        for (let nth = 0; nth < 5; nth += 1) {
          const tags = await Promise.all(clients.map(async (client) => (await saveInvoice(client)).invoice.tag));
          await Promise.all(clients.map((client, at) => saveApplication(client, tags[at] ?? '')));
        }
        const lists = clients.map(({ caller, business }) =>
          caller.post('/invoices/paged', { page: 1, businessTag: business.tag }),
        );
        expect((await Promise.all(lists)).map(({ body }) => body.length)).toEqual(clients.map(() => 5));
        const config = readConfig({ ...env, SECRET_KEY: SHARED_SECRET });
        const { platform, close } = await openPlatform(config, createLog('silent'), () => undefined, { isTool: true });
        try {
          await makeBackup(platform, join(folder, 'backup'));
        } finally {
          await close();
        }
        expect(server.output()).not.toContain('"level"'); // nothing was logged
        expect(await server.stop()).toBe(0);
      } finally {
        await end(child);
      }
    },
  );

  async function end(child: ChildProcess): Promise<void> {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
});
