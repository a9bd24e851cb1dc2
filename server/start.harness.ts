import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { childEnvironment } from '#testing/child-environment.ts';
import { greetedAddress } from '#testing/servers/greeting.ts';

/** Runs `server/main.mjs` as a process, as `npm start` does, in a folder for each test. */

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

interface Started {
  readonly child: ChildProcess;
  readonly address: string;
  readonly output: string;
}

/**
 * Starts processes in a new folder for each test, and kills those still running after it. Call it once in a test file.
 */
export function startsInFolder() {
  let folder: string;
  const children = new Set<ChildProcess>();

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kasente-start-'));
    // When the tests run as root, PostgreSQL runs as another user, who must be able to enter.
    await chmod(folder, 0o755);
  });

  let stopped: string | undefined;
  afterAll(async () => {
    if (stopped !== undefined) await rm(stopped, { recursive: true, force: true });
  });

  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL');
    children.clear();
    // The PostgreSQL of a killed server keeps writing for a moment.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  /** `preload`: arguments for Node, before the script. */
  function run(env: Record<string, string>, preload: readonly string[] = []): ChildProcess {
    const child = spawn(process.execPath, [...preload, 'server/main.mjs'], {
      env: childEnvironment({ NODE_ENV: 'development', PORT: '0', DATA_DIR: folder, ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    return child;
  }

  /** Starts a server and waits until it prints its address. */
  async function start(env: Record<string, string> = {}): Promise<Started> {
    const child = run(env);
    const output = outputOf(child);
    return new Promise((resolve, reject) => {
      child.stdout?.on('data', () => {
        const address = greetedAddress(output());
        if (address !== undefined) resolve({ child, address, output: output() });
      });
      child.once('exit', (code) => reject(new Error(`ended with ${code}:\n${output()}`)));
    });
  }

  /** Starts a server that is expected to refuse to start, or to end by itself. */
  async function ending(env: Record<string, string>): Promise<Ended> {
    const child = run(env);
    const output = outputOf(child);
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, output: output() };
  }

  /** Keeps the test's folder for {@link hasRunBefore}. Its server must have stopped. */
  async function keep(): Promise<void> {
    stopped = await mkdtemp(join(tmpdir(), 'kasente-started-'));
    await copyFolder(folder, stopped);
  }

  /**
   * Makes the test's folder look as after a server that ran, with a person, and stopped. The first call runs one; later
   * calls copy its folder.
   */
  async function hasRunBefore(): Promise<void> {
    if (stopped !== undefined) return copyFolder(stopped, folder);
    const { child, address } = await start({ SEED: 'none' });
    await signUp(address);
    await stop(child, 'SIGTERM');
    await keep();
  }

  return {
    /** The current test's data folder. */
    get folder() {
      return folder;
    },
    run,
    start,
    ending,
    keep,
    hasRunBefore,
  };
}

async function signUp(address: string): Promise<void> {
  const { status } = await fetch(`${address}/api/v1/users/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      phone: '0700000009',
      password: 'Kasente-demo-1',
      gender: 'female',
      industryId: 1,
      districtId: 1,
    }),
  });
  if (status !== 200) throw new Error(`signing up answered ${status}`);
}

export function outputOf(child: ChildProcess): () => string {
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  return () => output;
}

export async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.kill(signal);
  return ended;
}

/** Copies owners and modes too: PostgreSQL refuses a folder that belongs to somebody else. */
async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${from}/.`, to]);
}

export function processesIn(dataDir: string): string[] {
  const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes(dataDir));
}
