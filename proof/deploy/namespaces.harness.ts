import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** Programs in the namespaces of a process that `unshare --fork` started. */

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** Process 1 of the namespaces; '' until it exists. */
export function firstProcess(unshared: ChildProcess | undefined): string {
  const pid = unshared?.pid ?? 0;
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
}

/** Runs a program and gathers its output. */
export async function ran(program: string, args: readonly string[], input = ''): Promise<Ran> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.on('error', () => undefined); // some programs do not read their input
  child.stdin.end(input);
  const [code]: (number | null)[] = await once(child, 'close');
  return { code: code ?? null, output };
}
