import { readFile } from 'node:fs/promises';

/** The memory use of processes, measured only on Linux. */

const EVERY_MS = 10;

/** The processes in which a server reads uploaded files. */
export async function readersOf(server: number): Promise<number[]> {
  const children = await readFile(`/proc/${server}/task/${server}/children`, 'utf8').catch(() => '');
  const numbers = children.trim().split(' ').filter(Boolean).map(Number);
  const commands = await Promise.all(numbers.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return numbers.filter((_, index) => commands[index]?.includes('reader.child.ts'));
}

/** The total memory of these processes, in bytes. */
export async function residentBytes(pids: readonly number[]): Promise<number> {
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')));
  return texts.reduce((sum, text) => sum + 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? 0), 0);
}

/** Samples the memory of these processes; `stop` returns the maximum in bytes. */
export function watchMemory(pids: () => Promise<readonly number[]>): { stop(): Promise<number> } {
  let peak = 0;
  const look = async (): Promise<void> => {
    peak = Math.max(peak, await residentBytes(await pids()));
  };
  const timer = setInterval(() => void look(), EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await look();
      return peak;
    },
  };
}
