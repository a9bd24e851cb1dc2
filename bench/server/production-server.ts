import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchDatabase } from '#bench/fills/filled.ts';
import { freePort } from '#testing/free-port.ts';
import { residentBytes } from '#testing/memory-watch.ts';

/** A process that serves requests. */
export interface ServerProcess {
  readonly port: number;
  readonly pid: number;
  /** The milliseconds from its start until it was ready. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

/** A program with its settings, and the line that it prints when ready. */
export interface Program {
  /** The command; Node by default. */
  readonly command?: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  readonly ready: RegExp;
}

/** Starts a program and waits until it is ready; rejects with its output if it ends before. */
export async function startProgram({
  command = process.execPath,
  args,
  env,
  port,
  ready,
}: Program): Promise<ServerProcess> {
  const began = performance.now();
  const child = spawn(command, [...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      // Later output is read and dropped, as in production by the log's pipe.
      if (output.length < 100_000) output += chunk.toString();
      if (ready.test(output)) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}:\n${output}`)));
  });
  const readyMs = performance.now() - began;
  return {
    port,
    pid: child.pid ?? 0,
    readyMs,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Starts the server with production settings and logging on this database. */
export async function startProductionServer(
  database: BenchDatabase,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kasente-bench-server-'));
  const port = await freePort();
  const server = await startProgram({
    args: ['--max-old-space-size=1024', '--max-semi-space-size=8', 'server/main.mjs'],
    port,
    ready: /Kasente runs at/,
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: `http://localhost:${port}`,
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      SECRET_KEY: 'a secret that benches alone have',
      DRAIN_SECONDS: '0',
      INVOICE_MAXIMUM_AGE_DAYS: '3650', // benches send fixed dates
      ...settings,
    },
  });
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { ...server, stop };
}

/** The resident memory of a process in MB. */
export async function residentMb(pid: number): Promise<number> {
  return (await residentBytes([pid])) / 2 ** 20;
}

/** The processor seconds that all threads of a process have used. */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // utime and stime in ticks of 10 ms, which Linux has on every machine that Node runs on.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
