import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '#testing/child-environment.ts';

/** Runs the tools as processes, as npm does. */

export const root = fileURLToPath(new URL('../..', import.meta.url));

interface ToolOptions {
  /** The working folder. */
  readonly cwd?: string;
  /** The tool's checkout. */
  readonly checkout?: string;
  /** Standard input, which stays open after a final newline like a terminal. */
  readonly input?: string;
  /** Kills it after this time. */
  readonly killAfterMs?: number;
}

/** Runs a tool; returns its output. */
export async function runTool(
  script: string,
  args: readonly string[],
  env: Record<string, string>,
  { cwd = root, checkout = root, input = '', killAfterMs = 0 }: ToolOptions = {},
) {
  const child = spawn(process.execPath, [join(checkout, 'scripts', `${script}.ts`), ...args], {
    cwd,
    env: childEnvironment(env),
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: killAfterMs,
    killSignal: 'SIGKILL',
  });
  child.stdin.on('error', () => undefined); // a tool may ignore its input
  child.stdin.write(input);
  if (!input.endsWith('\n')) child.stdin.end();
  const ended: Promise<[code: number | null]> = once(child, 'close').then(([code]) => [code]);
  const [[code], out, error] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, out, error };
}

/** Each tool's first line, which names its database and documents. */
const ANNOUNCEMENT = /^Database: .+\. Documents: .+\.\n/;

/** Runs a tool; returns its output without the first line. */
export async function runAnnounced(...given: Parameters<typeof runTool>) {
  const { error, ...ended } = await runTool(...given);
  return { ...ended, error: error.replace(ANNOUNCEMENT, '') };
}
