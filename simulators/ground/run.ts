import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Provider } from './provider.ts';
import { READY } from './ready.ts';
import { buildServer } from './server.ts';
import { Simulator } from './simulator.ts';

/** Runs one provider as a process: arguments, port and shutdown. */

const number = z.coerce.number().int().min(0);
const options = z.object({
  port: number.default(0),
  host: z.string().default('127.0.0.1'),
  /** The folder of the book; if absent, the book is in memory. */
  folder: z.string().optional(),
  'settle-ms': number.default(2000),
  /** Whether it ends when its input closes, and so with its parent process. */
  attached: z.boolean().default(false),
  /** The provider's settings, as JSON. */
  settings: z.string().default('{}'),
});

export async function run(provider: (settings: unknown, folder: string | undefined) => Provider): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { port: text, host: text, folder: text, 'settle-ms': text, settings: text, attached: { type: 'boolean' } },
  });
  const { port, host, folder, 'settle-ms': settleMs, settings, attached } = options.parse(values);
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const made = provider(JSON.parse(settings), folder);
  const bookFile = folder === undefined ? undefined : join(folder, `${made.name}.jsonl`);
  const simulator = new Simulator(made, { bookFile, settleMs });
  const app = buildServer(simulator);
  const url = await app.listen({ port, host });
  const end = (): void => void app.close().finally(() => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  if (attached) process.stdin.resume().once('end', end);
  console.log(`${READY}${url}`);
}
