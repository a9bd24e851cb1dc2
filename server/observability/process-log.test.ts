import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appVersion } from '#server/machine/version.ts';
import { childEnvironment } from '#testing/child-environment.ts';
import { freePort } from '#testing/free-port.ts';
import { installedCopy } from '#testing/servers/installed-copy.ts';
import { startServerProcess } from '#testing/servers/server-process.ts';
import { createTestDatabase } from '#testing/test-database.ts';

/** A server's whole output: JSON lines in production, sentences in development. */

/** Production requires a built web application. */
const installed = installedCopy();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kasente-words-'));
  await chmod(folder, 0o755); // as root, PostgreSQL runs as another user, who must be able to enter
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a server until it ends. Returns the lines that it wrote to each output. */
async function run(env: Record<string, string>, nodeArgs: readonly string[] = []) {
  const child = spawn(process.execPath, [...nodeArgs, 'server/main.mjs'], {
    cwd: installed,
    env: childEnvironment({ PORT: '0', DATA_DIR: folder, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, lines: `${out}${err}`.split('\n').filter((line) => line !== '') };
}

const PRODUCTION = { NODE_ENV: 'production', PUBLIC_URL: 'https://kasente.example' };
const AWAY = { DATABASE_URL: 'postgres://kasente:s3cret@127.0.0.1:1/kasente', SECRET_KEY: 's'.repeat(32) };
/** Arguments to load a module before the server. */
const before = (source: string) => ['--import', `data:text/javascript,${encodeURIComponent(source)}`];

describe('a start that is refused', () => {
  it('logs one line of JSON in production, whatever LOG_LEVEL is', async () => {
    const { code, lines } = await run({ ...PRODUCTION, SESSION_IDLE_MINUTES: 'soon', LOG_LEVEL: 'silent' });
    expect(code).toBe(1);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 60,
        time: expect.stringMatching(/Z$/),
        version: appVersion,
        msg: 'Kasente did not start: SESSION_IDLE_MINUTES must be a whole number from 1 to 720.',
      },
    ]);
  });

  it('logs lines of JSON for an unreachable database, without its password', async () => {
    const { lines } = await run({ ...PRODUCTION, ...AWAY });
    const parsed = lines.map((line) => JSON.parse(line));
    expect(parsed.at(-1).msg).toMatch(/^Kasente did not start: the database 127\.0\.0\.1:1\/kasente cannot be used/);
    expect(lines.join()).not.toContain('s3cret');
  });

  it('prints a sentence in development', async () => {
    expect(await run({ SESSION_IDLE_MINUTES: 'soon' })).toEqual({
      code: 1,
      lines: ['Kasente did not start: SESSION_IDLE_MINUTES must be a whole number from 1 to 720.'],
    });
  });

  it('warns in a sentence that NODE_ENV was forgotten, unless it is set', async () => {
    const env = { SECRET_KEY: 's'.repeat(32), METRICS_TOKEN: 'm'.repeat(32), METRICS_LISTEN: 'nowhere.invalid:1' };
    const { lines } = await run({ ...env, SEED: 'none' });
    const told = lines.find((line) => line.startsWith('NODE_ENV'));
    expect(told).toMatch(/^NODE_ENV is not set, but SECRET_KEY, METRICS_TOKEN are: Kasente runs as in development/);
    expect(lines.join('\n')).toContain('METRICS_LISTEN=nowhere.invalid:1 cannot be listened on (ENOTFOUND)');
    const said = await run({ ...env, ...AWAY, NODE_ENV: 'development' });
    expect(said.lines.join('\n')).not.toContain('NODE_ENV');
  });
});

describe('an unexpected problem in production', () => {
  it.each([
    ['an error that nobody catches', `throw new Error('planted')`],
    ['a promise that nobody awaits', `void Promise.reject(new Error('planted'))`],
  ])('is a line of JSON before the server stands, and ends the process: %s', async (_, fault) => {
    // The error occurs while the server connects to its database: as soon as something listens for such errors.
    const source = `process.on('newListener', (event) => { if (event === 'uncaughtException') setTimeout(() => { ${fault} }, 0); });`;
    const { code, lines } = await run({ ...PRODUCTION, ...AWAY }, before(source));
    expect(code).toBe(1);
    const found = lines.map((line) => JSON.parse(line)).find(({ err }) => err?.message === 'planted');
    expect(found).toMatchObject({ level: 60, err: { stack: expect.stringContaining('planted') } });
  });

  it('is logged as JSON while it serves: a warning of Node, and an error, after which it stops in order', async () => {
    const database = await createTestDatabase();
    const hook = join(folder, 'hook.mjs');
    await writeFile(
      hook,
      `process.emitWarning('planted warning', 'PlantedWarning');
       process.on('SIGUSR2', () => { throw new Error('planted error'); });`,
    );
    const server = await startServerProcess(database, {
      env: { ...PRODUCTION, LOG_LEVEL: 'info', DATA_DIR: folder, PORT: String(await freePort()) },
      nodeArgs: ['--import', pathToFileURL(hook).href],
      folder: installed,
    });
    expect(await server.stop('SIGUSR2')).toBe(1);
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    const said = lines.map(({ msg }) => msg);
    expect(said).toContain('Kasente runs at https://kasente.example');
    expect(said.slice(-3)).toEqual([
      'stopping after an error nobody caught',
      'Kasente is stopping',
      'Kasente has stopped',
    ]);
    expect(lines.find(({ err }) => err?.type === 'PlantedWarning')).toMatchObject({ level: 40 });
    expect(lines.at(-1)).toMatchObject({ seconds: expect.any(Number) });
    await database.drop();
  });
});
