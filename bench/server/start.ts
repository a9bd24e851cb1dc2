import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { invoicesFilling, withFilled } from '#bench/fills/filled.ts';
import { inTurns, median } from '#bench/rounds.ts';
import type { Row } from '#bench/row.ts';
import { freePort } from '#testing/free-port.ts';
import { startProductionServer, startProgram } from './production-server.ts';

/**
 * The time from a command to a ready server: a second `npm start`, with its checks and its own PostgreSQL, and the server alone on a
 * running PostgreSQL.
 *
 *   node bench/server/start.ts
 */

const COMMAND = 'node bench/server/start.ts';
const NPM_MS = 1500;
const SERVER_MS = 700;

/** Creates a data folder with a first start. */
async function firstStart(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kasente-bench-start-'));
  await chmod(dataDir, 0o755); // for root: PostgreSQL runs as another user, who needs access
  await npmStart(dataDir);
  return dataDir;
}

/** Runs `npm start` until it is ready, and stops it; returns the milliseconds. */
async function npmStart(dataDir: string): Promise<number> {
  const port = await freePort();
  const { PATH = '', HOME = '' } = process.env;
  const started = await startProgram({
    command: 'npm',
    args: ['start'],
    env: { PATH, HOME, DATA_DIR: dataDir, PORT: String(port) },
    port,
    ready: /Kasente runs at/,
  });
  await started.stop();
  return started.readyMs;
}

function rowOf(work: string, goalMs: number, times: readonly number[]): Row {
  const figure = median(times);
  return {
    work,
    goal: `${goalMs / 1000} s`,
    figure: `${(figure / 1000).toFixed(2)} s`,
    holds: figure <= goalMs,
    command: COMMAND,
    detail: `rounds: ${times.map((ms) => (ms / 1000).toFixed(2)).join(', ')} s`,
  };
}

export async function run(): Promise<Row[]> {
  const dataDir = await firstStart();
  const npm: number[] = [];
  const alone: number[] = [];
  try {
    await withFilled([invoicesFilling(10_000)], async ([database]) => {
      if (database === undefined) throw new Error('no database');
      await inTurns([
        async () => npm.push(await npmStart(dataDir)),
        async () => {
          const server = await startProductionServer(database);
          alone.push(server.readyMs);
          await server.stop();
        },
      ]);
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return [
    rowOf('second `npm start` until it serves, PostgreSQL included', NPM_MS, npm),
    rowOf('server alone until it serves, on a PostgreSQL that runs', SERVER_MS, alone),
  ];
}

if (import.meta.main) console.table(await run(), ['work', 'goal', 'figure', 'holds', 'detail']);
