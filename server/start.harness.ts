import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { childEnvironment } from '#testing/child-environment.ts';
import { greetedAddress } from '#testing/servers/greeting.ts';

/** `server/main.mjs` as a process, as `npm start` runs it, on a folder of each test's own. */

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

interface Started {
  readonly child: ChildProcess;
  readonly address: string;
  readonly output: string;
}

/** Starts processes in a folder that is new for each test; what a test leaves running is killed after it. Called once in a test file. */
export function startsInFolder() {
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
    // The PostgreSQL of a killed server writes for a moment longer.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  /** `preload`: Node's arguments before the script. */
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

  /** Starts a server that is expected to refuse, or to end by itself. */
  async function ending(env: Record<string, string>): Promise<Ended> {
    const child = run(env);
    const output = outputOf(child);
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, output: output() };
  }

  /** Keeps the test's folder, whose server has stopped, for {@link hasRunBefore}. */
  async function keep(): Promise<void> {
    stopped = await mkdtemp(join(tmpdir(), 'kasente-started-'));
    await copyFolder(folder, stopped);
  }

  /** Makes the test's folder one of a server that has run and stopped, with a person: a copy of one after the first time. */
  async function hasRunBefore(): Promise<void> {
    if (stopped !== undefined) return copyFolder(stopped, folder);
    const { child, address } = await start({ SEED: 'none' });
    await signUp(address);
    await stop(child, 'SIGTERM');
    await keep();
  }

  return {
    /** The data folder of the test at hand. */
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

/** With owners and modes: PostgreSQL takes no folder of somebody else's. */
async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${from}/.`, to]);
}

export function processesIn(dataDir: string): string[] {
  const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes(dataDir));
}
