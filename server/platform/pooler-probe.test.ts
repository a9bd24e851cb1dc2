import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { freePort } from '#proof/server-process.harness.ts';
import { readConfig } from '#server/platform/config.ts';
import { connectDatabase } from '#server/platform/connect.ts';
import { accountFor, spawnAs } from '#server/platform/embedded-postgres/account.ts';
import { createLog } from '#server/platform/logging.ts';
import { Pooler, type PoolMode } from '#server/testing/pooler.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/test-database.ts';

/** Poolers that cannot work are found at the start, before anything is made. */

const LOSES =
  'the pooler that DATABASE_URL names loses prepared statements between two transactions. Set pool_mode = session; or pool_mode = transaction with PgBouncer 1.21 or later and max_prepared_statements above 0; or name PostgreSQL itself in DATABASE_URL.';
const SPLITS = LOSES.replace(
  'loses prepared statements between two transactions',
  'gives each statement another connection (pool_mode = statement)',
);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** What a start over that port comes to. */
async function startOver(port: number): Promise<string> {
  const { user } = inject('cluster');
  const config = readConfig({ DATABASE_URL: `postgres://${user}@127.0.0.1:${port}/${database.name}` });
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
  ])('that keeps no prepared statements, by %s', async (mode, outcome) => {
    const pooler = new Pooler(mode, inject('cluster'));
    try {
      expect(await startOver(await pooler.listen())).toBe(outcome);
    } finally {
      await pooler.close();
    }
  });

  it('that is not there is no obstacle', async () => {
    const { host, port, user } = inject('cluster');
    const url = `postgres://localhost:${port}/${database.name}?host=${encodeURIComponent(host)}&user=${user}`;
    const { close } = await connectDatabase(readConfig({ DATABASE_URL: url }), createLog('silent'), () => undefined);
    await close();
  });
});

const [, major = '', minor = ''] =
  /PgBouncer (\d+)\.(\d+)/.exec(spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' }).stdout ?? '') ?? [];
const keepsStatements = Number(major) > 1 || Number(minor) >= 21;

// Where PgBouncer is installed, as by Debian's package, the real one says whether the stand-in above tells the truth.
describe.runIf(major !== '')('PgBouncer itself', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kasente-pooler-'));
    await chmod(folder, 0o755);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function startPgBouncer(mode: PoolMode): Promise<{ child: ChildProcess; port: number }> {
    const [{ host, port: server, user }, port] = [inject('cluster'), await freePort()];
    const settings = [
      `[databases]\n* = host=${host} port=${server} user=${user}\n[pgbouncer]\nlisten_addr = 127.0.0.1`,
      `listen_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = ${mode}`,
      ...(keepsStatements ? ['max_prepared_statements = 100'] : []),
    ];
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

  it.each<[PoolMode, string]>([
    ['session', 'taken'],
    ['transaction', keepsStatements ? 'taken' : LOSES],
    ['statement', SPLITS],
  ])('by %s', async (mode, outcome) => {
    const { child, port } = await startPgBouncer(mode);
    try {
      expect(await startOver(port)).toBe(outcome);
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
  });
});
