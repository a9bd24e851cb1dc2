import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { READY } from '#simulators/ground/ready.ts';

/** Starts a simulator as a process, for tests, proofs and the demonstration. */

interface SimulatorSettings {
  /** The folder of the book, for restarts; if absent, the book is in memory. */
  readonly folder?: string;
  /** A free port if absent. */
  readonly port?: number;
  /** The duration of MTN's transactions. */
  readonly settleMs?: number;
  /** The provider's settings: `mtnSettings` or `airtelSettings`. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

export interface RunningSimulator {
  readonly url: string;
  readonly child: ChildProcess;
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a simulator and waits until it is ready; throws its output if it ends first. */
export async function startSimulator(
  provider: 'mtn' | 'airtel',
  { folder, port = 0, settleMs = 0, settings = {} }: SimulatorSettings = {},
): Promise<RunningSimulator> {
  const args = ['--port', String(port), '--settle-ms', String(settleMs), '--settings', JSON.stringify(settings)];
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, provider, 'main.ts'), ...args, ...(folder === undefined ? [] : ['--folder', folder])],
    { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = once(child, 'close');
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith(READY)) resolve(line.slice(READY.length));
    });
    void ended.then(() => reject(new Error(`the simulator of ${provider} ended: ${said}`)));
  });
  return {
    url,
    child,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await ended;
    },
  };
}

/** Only the variables that Node needs to find itself and its compiled code. */
function environment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) };
}
