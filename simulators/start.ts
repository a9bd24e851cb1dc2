import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { READY } from '#simulators/ground/ready.ts';

/** A provider's simulator as a process of its own, for tests, proofs and the demonstration. */

interface SimulatorSettings {
  /** The folder of its book, so that it can be started again; without it the book is in memory. */
  readonly folder?: string;
  /** Any free one if absent. */
  readonly port?: number;
  /** How long MTN takes for a transaction. */
  readonly settleMs?: number;
  /** The provider's own: `mtnSettings` and `airtelSettings` say what there is. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

export interface RunningSimulator {
  readonly url: string;
  readonly child: ChildProcess;
  /** Sends the signal and waits until it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a simulator and waits until it serves; throws its output if it does not. */
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

/** No settings of the environment, except those that find Node and its compiled code. */
function environment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) };
}
