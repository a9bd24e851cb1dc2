import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { childEnvironment } from '#server/testing/child-environment.ts';
import { canaryFound, proved } from '#server/testing/evidence/record.ts';

/** `server/main.mjs` as a process, as `npm start` runs it. */

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

interface Started {
  readonly child: ChildProcess;
  readonly address: string;
  readonly output: string;
}

let folder: string;
const children = new Set<ChildProcess>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kasente-start-'));
  // PostgreSQL runs as another user when this is root, and has to get in.
  await chmod(folder, 0o755);
});

let stopped: string | undefined;
afterAll(async () => {
  if (stopped !== undefined) await rm(stopped, { recursive: true, force: true });
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  await rm(folder, { recursive: true, force: true });
});

/** `preload`: what Node is told before the script. */
function run(env: Record<string, string>, preload: readonly string[] = []): ChildProcess {
  const child = spawn(process.execPath, [...preload, 'server/main.mjs'], {
    env: childEnvironment({ NODE_ENV: 'development', PORT: '0', DATA_DIR: folder, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  return child;
}

function outputOf(child: ChildProcess): () => string {
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  return () => output;
}

/** Starts a server and waits until it says where it runs. */
async function start(env: Record<string, string> = {}, lastWords = '/dev/messages'): Promise<Started> {
  const child = run(env);
  const output = outputOf(child);
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const address = /Kasente runs at (\S+)/.exec(output())?.[1];
      if (address !== undefined && output().includes(lastWords)) resolve({ child, address, output: output() });
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}:\n${output()}`)));
  });
}

/** Starts a server that is expected to refuse, or to end by itself. */
async function ending(env: Record<string, string>): Promise<Ended> {
  const child = run(env);
  const output = outputOf(child);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output: output() };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.kill(signal);
  return ended;
}

/** Makes the test's folder one of a server that has run and stopped: a copy of one, which takes a fifth of a first start. */
async function hasRunBefore(): Promise<void> {
  if (stopped === undefined) {
    await stop((await start()).child, 'SIGTERM');
    stopped = await mkdtemp(join(tmpdir(), 'kasente-started-'));
    await copyFolder(folder, stopped);
    return;
  }
  await copyFolder(stopped, folder);
}

/** With owners and modes: PostgreSQL takes no folder of somebody else's. */
async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${from}/.`, to]);
}

function processesIn(dataDir: string): string[] {
  const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes(dataDir));
}

describe('the first start', () => {
  it('seeds the demonstration, says who may log in, and serves; the second finds it there', async () => {
    const first = await start();
    for (const username of ['admin@kasente.test', 'staff@kasente.test', '0700000001', '0700000002']) {
      expect(first.output).toContain(username);
      const answer = await fetch(`${first.address}/api/v1/users/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password: 'Kasente-demo-1' }),
      });
      expect(answer.status).toBe(200);
    }
    expect((await fetch(`${first.address}/livez`)).status).toBe(200);
    expect((await fetch(`${first.address}/readyz`)).status).toBe(200);
    expect((await fetch(`${first.address}/metrics`)).status).toBe(200);
    const throughProxy = await fetch(`${first.address}/metrics`, { headers: { 'x-forwarded-for': '41.75.160.1' } });
    expect(throughProxy.status).toBe(404);
    expect(await stop(first.child, 'SIGTERM')).toBe(0);
    expect(processesIn(folder)).toEqual([]);

    const second = await start();
    const answer = await fetch(`${second.address}/api/v1/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: '0700000001', password: 'Kasente-demo-1' }),
    });
    expect(answer.status).toBe(200);
    expect(await stop(second.child, 'SIGINT')).toBe(0);
  });

  it('leaves an empty database empty with SEED=none', async () => {
    const { address, output } = await start({ SEED: 'none' });
    expect(output).not.toContain('admin@kasente.test');
    const answer = await fetch(`${address}/api/v1/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin@kasente.test', password: 'Kasente-demo-1' }),
    });
    expect(answer.status).toBe(401);
  });
});

describe('what is in force', () => {
  it('is one line of the log, without a secret', async () => {
    const { output } = await start(
      {
        LOG_LEVEL: 'info',
        SEED: 'none',
        DEMONSTRATION: 'others',
        SECRET_KEY: 'the secret of the settings, which nobody may read',
        SMTP_URL: 'smtps://kasente:Smtp-password-1@mail.example.com',
        SMS_USERNAME: 'kasente',
        SMS_API_KEY: 'atsk_secret',
        TRUST_PROXY: '1',
        STORAGE_URL: 's3://AKIA:Bucket-secret-1@documents/prefix?endpoint=http://127.0.0.1:1',
      },
      'No messages are shown',
    );
    const lines = output.split('\n').filter((line) => line.includes('"in force"'));
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        environment: 'development',
        database: {
          at: `${folder}/postgres (embedded)`,
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
    // A bucket that is away at the start is no reason not to.
    expect(output).toContain('the store does not answer');
    for (const secret of ['nobody may read', 'Smtp-password-1', 'atsk_secret', 'Bucket-secret-1']) {
      expect(output).not.toContain(secret);
    }
  });
});

describe('what does not belong together', () => {
  it('is refused by the next start: another store, and another secret', async () => {
    await hasRunBefore();
    const store = join(folder, 'documents');
    await rename(store, join(folder, 'set-aside'));
    const elsewhere = await ending({});
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.output).toMatch(
      /^Kasente did not start: the store of documents is not this database’s: it has none of [^\n]+\n$/,
    );
    await rm(store, { recursive: true });
    await rename(join(folder, 'set-aside'), store);
    const { code, output } = await ending({ SECRET_KEY: 'another secret than that of this data folder' });
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(
        /^Kasente did not start: SECRET_KEY [^\n]+ is not the secret that this database was filled with\. [^\n]+\n$/,
      ),
    ]);
    await stop((await start()).child, 'SIGTERM');
  });
});

describe('a port that is open past its proxy', () => {
  const OPEN = { DEMONSTRATION: 'others', HOST: '0.0.0.0', SEED: 'none' };

  it.each([
    [{ ...OPEN, TRUST_PROXY: '1' }, true],
    [{ ...OPEN, TRUST_PROXY: '1', HOST: '127.0.0.1' }, false],
  ])('is said at the start: %o', async (env: Record<string, string>, isSaid: boolean) => {
    const { output } = await start(env, 'No messages are shown');
    expect(output.includes('TRUST_PROXY believes everybody who connects')).toBe(isSaid);
    expect(output).not.toContain('/dev/messages');
  });
});

describe('a proxy that is not named', () => {
  const HTTPS = { DEMONSTRATION: 'others', PUBLIC_URL: 'https://kasente.test', SEED: 'none' };

  it.each([
    [HTTPS, true],
    [{ ...HTTPS, TRUST_PROXY: '127.0.0.1' }, false],
    [{ ...HTTPS, PUBLIC_URL: 'http://kasente.test' }, false],
  ])('is said at the start: %o', async (env: Record<string, string>, isSaid: boolean) => {
    const { output } = await start(env, 'No messages are shown');
    expect(output.includes('everybody counts as one address')).toBe(isSaid);
  });
});

describe('PostgreSQL killed under it', () => {
  it('ends it with exit code 1, so that a service manager starts it again', async () => {
    await hasRunBefore();
    const { child } = await start();
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    process.kill(await postmasterOf(folder), 'SIGKILL');
    expect(await ended).toBe(1);
    const again = await start();
    expect((await fetch(`${again.address}/readyz`)).status).toBe(200);
  });
});

async function postmasterOf(dataDir: string): Promise<number> {
  const lock = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  return Number(lock.split('\n', 1)[0]);
}

/** Everything in the data folder with what it holds, but for what PostgreSQL has in its own: what a refused start must leave as it was. */
async function contentsOf(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const found = entries.map(async (entry) => {
    const at = relative(path, join(entry.parentPath, entry.name));
    return entry.isFile() ? `${at}: ${hash('sha256', await readFile(join(path, at)))}` : at;
  });
  return (await Promise.all(found)).filter((one) => !one.startsWith('postgres/')).toSorted();
}

describe('a start over what is missing or half written', () => {
  /** What a start said over what lies in the folder, and whatever it did but refuse in one sentence and make nothing. */
  async function meets(preload: readonly string[] = []) {
    const before = await contentsOf(folder);
    const child = run({}, preload);
    const output = outputOf(child);
    const ended = await new Promise<number | string | null>((resolve) => {
      child.stdout?.on('data', () => output().includes('Kasente runs at') && resolve('started'));
      child.once('close', resolve);
    });
    if (ended === 'started') await stop(child, 'SIGTERM');
    const faults = [];
    if (ended !== 1) faults.push(`ended with ${ended}`);
    if (!/^Kasente did not start: [^\n]+\n$/.test(output())) faults.push('said more than a sentence');
    if (!isDeepStrictEqual(await contentsOf(folder), before)) faults.push('made or changed something');
    return { output: output(), faults };
  }

  async function put(file: string, content: string): Promise<void> {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  }

  const RESTORE = 'npm run restore -- <the backup’s folder> --beside-documents';
  const cases = [
    {
      name: 'a secret that is empty',
      prepare: () => put('secret.key', ''),
      says: ['is empty or cut off (0 characters'],
    },
    {
      name: 'a secret that is cut off',
      prepare: () => put('secret.key', 'x'.repeat(31)),
      says: ['is empty or cut off (31 characters'],
    },
    {
      name: 'documents whose database is missing',
      prepare: () => put('documents/ab/document', 's'.repeat(43)),
      says: ['the database is missing from ', 'where there are documents of one', RESTORE],
    },
    {
      name: 'a secret whose database is missing',
      prepare: () => put('secret.key', 's'.repeat(43)),
      says: ['the database is missing from ', 'where there is a secret of one', RESTORE],
    },
    {
      name: 'a database with data whose secret is missing',
      prepare: async () => {
        await hasRunBefore();
        await rm(join(folder, 'secret.key'));
      },
      says: ['the database has data, but its secret is missing'],
    },
  ];

  it.each(cases)('is refused: $name', async ({ name, prepare, says }) => {
    await prepare();
    const { output, faults } = await meets();
    expect(faults).toEqual([]);
    for (const words of says) expect(output).toContain(words);
    proved('starts', `${name}: refused in a sentence, nothing made or changed`);
  });

  it.each(cases)('is found where it goes on as before it looked: $name', async ({ name, prepare }) => {
    await prepare();
    const { output, faults } = await meets(['--import', join(import.meta.dirname, 'testing/careless-start.child.ts')]);
    expect(faults).toContain('made or changed something');
    expect(output).not.toContain('does not look as it did');
    canaryFound('starts', `a start that does not look, over ${name}: ${faults.join(', ')}`);
  });

  it('is taken up again once the secret is back', async () => {
    await hasRunBefore();
    const secret = await readFile(join(folder, 'secret.key'), 'utf8');
    expect(secret).toMatch(/^[\w-]{43}$/);
    await rm(join(folder, 'secret.key'));
    expect((await meets()).faults).toEqual([]);
    await put('secret.key', secret);
    await stop((await start()).child, 'SIGTERM');
  });
});

describe('what keeps it from starting is one sentence', () => {
  it('a busy port', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const bound = holder.address();
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
    const { code, output } = await ending({ PORT: String(port) });
    holder.close();
    expect(code).toBe(1);
    const withoutLog = output.replaceAll(/^\{.*\}\n/gm, '');
    expect(withoutLog).toBe(
      `Kasente did not start: port ${port} is taken by another program. Stop that one, or choose another port, such as PORT=${port + 1} npm start.\n`,
    );
    expect(processesIn(folder)).toEqual([]);
  });

  it('a database that cannot be reached, without its password', async () => {
    const { code, output } = await ending({ DATABASE_URL: 'postgres://kasente:s3cret@127.0.0.1:1/kasente' });
    expect(code).toBe(1);
    expect(output).toMatch(
      /^Kasente did not start: the database 127\.0\.0\.1:1\/kasente cannot be used \(.+\)\. Check that it runs and that DATABASE_URL is right\.\n$/,
    );
    expect(output).not.toContain('s3cret');
  });

  it('a wrong setting', async () => {
    const { code, output } = await ending({ SESSION_IDLE_MINUTES: 'soon' });
    expect({ code, output }).toEqual({
      code: 1,
      output: 'Kasente did not start: SESSION_IDLE_MINUTES must be a whole number from 1 to 720.\n',
    });
  });

  it.each(['/proc/kasente', '/proc/version/kasente'])('a data folder that cannot be made: %s', async (path) => {
    const elsewhere = { DATABASE_URL: 'postgres://kasente:s3cret@127.0.0.1:1/kasente', SECRET_KEY: 's'.repeat(32) };
    for (const env of [{ DATA_DIR: path }, { DATA_DIR: path, ...elsewhere }]) {
      const { code, output } = await ending(env);
      expect(code).toBe(1);
      expect(output).toMatch(
        /^Kasente did not start: the data folder \/proc\/\S+ cannot be written to \([^\n]+\)\. Give this user the right to, or name another with DATA_DIR\.\n$/,
      );
    }
  });

  it('settings that let others in without NODE_ENV=production, and NODE_ENV=test', async () => {
    const { code, output } = await ending({ HOST: '0.0.0.0' });
    expect({ code, lines: output.split('\n').length }).toEqual({ code: 1, lines: 2 });
    expect(output).toContain('HOST as it is set lets other people use this server');
    expect((await ending({ NODE_ENV: 'test' })).output).toContain('NODE_ENV must be development or production.');
  });

  it('production without a real database', async () => {
    const { code, output } = await ending({ NODE_ENV: 'production', PUBLIC_URL: 'https://kasente.example' });
    expect(code).toBe(1);
    expect(output).toContain('DATABASE_URL must be set in production');
  });

  it('a damaged data folder, which stays as it is', async () => {
    await hasRunBefore();
    await writeFile(join(folder, 'postgres', 'PG_VERSION'), 'nonsense');
    const before = await readdir(join(folder, 'postgres'));
    const { code, output } = await ending({});
    expect(code).toBe(1);
    expect(output).toMatch(/^Kasente did not start: [^\n]+\n$/);
    expect(await readdir(join(folder, 'postgres'))).toEqual(before);
    expect(await readFile(join(folder, 'postgres', 'PG_VERSION'), 'utf8')).toBe('nonsense');
  });
});
