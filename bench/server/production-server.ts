import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchDatabase } from '#bench/fills/filled.ts';
import { freePort } from '#server/testing/free-port.ts';

/** A process that serves requests. */
export interface ServerProcess {
  readonly port: number;
  readonly pid: number;
  /** From its start until it said that it serves. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

/** A program with its settings, and the line by which it says that it serves. */
export interface Program {
  /** Node, unless told. */
  readonly command?: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly port: number;
  readonly ready: RegExp;
}

/** Starts a program of Node and waits until it serves; rejects with what it said where it ends before. */
export async function startProgram({
  command = process.execPath,
  args,
  env,
  cwd,
  port,
  ready,
}: Program): Promise<ServerProcess> {
  const began = performance.now();
  const child = spawn(command, [...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      // Afterwards it is read and forgotten, as a production log's pipe is.
      if (said.length < 100_000) said += chunk.toString();
      if (ready.test(said)) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}:\n${said}`)));
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

/** The server as in production, logging as in production, on this database. */
export async function startProductionServer(
  database: BenchDatabase,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kasente-bench-server-'));
  const port = await freePort();
  const server = await startProgram({
    args: ['server/main.mjs'],
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
      INVOICE_MAXIMUM_AGE_DAYS: '3650', // benches send dates that stay the same
      ...settings,
    },
  });
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { ...server, stop };
}

/** The resident memory of a process in MB; Linux tells it in its own file. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;
}

/** The processor time that a process has used so far, all its threads, in seconds. */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // utime and stime in ticks of 10 ms, which Linux has on every machine that Node runs on.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
