import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '#server/testing/child-environment.ts';

/** The tools as processes, as npm runs them. */

export const root = fileURLToPath(new URL('../..', import.meta.url));

interface ToolOptions {
  /** Where it runs, if not in the project's folder. */
  readonly cwd?: string;
  /** The checkout that it is of. */
  readonly checkout?: string;
  /** What is typed: standard input stays open after a newline, as a terminal does. */
  readonly input?: string;
  /** It is killed then, unless it has ended. */
  readonly killAfterMs?: number;
}

/** Runs a tool and returns all that it says. */
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
  child.stdin.on('error', () => undefined); // it need not read what it does not ask for
  child.stdin.write(input);
  if (!input.endsWith('\n')) child.stdin.end();
  const ended: Promise<[code: number | null]> = once(child, 'close').then(([code]) => [code]);
  const [[code], out, error] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, out, error };
}

/** The line that each tool says first: which database and which documents it works on. */
const ANNOUNCEMENT = /^Database: .+\. Documents: .+\.\n/;

/** Runs a tool and returns what it says after its first line. */
export async function runAnnounced(...given: Parameters<typeof runTool>) {
  const { error, ...ended } = await runTool(...given);
  return { ...ended, error: error.replace(ANNOUNCEMENT, '') };
}
