import { readFile } from 'node:fs/promises';

/** Watches the memory and processor time of a process, on systems that report it: Linux, in /proc. */

interface UseLimits {
  readonly residentBytes: number;
  /** Measured from the start of watching. */
  readonly cpuMs: number;
}

const INTERVAL_MS = 20;
const PAGE_BYTES = 4096;
const TICK_MS = 10;

/** Calls `onExceeded` once if the process exceeds its limits. Returns a function that stops watching. */
export function watchUse(pid: number | undefined, limits: UseLimits, onExceeded: () => void): () => void {
  if (process.platform !== 'linux' || pid === undefined) return () => undefined;
  let cpuAtStart: number | undefined;
  const timer = setInterval(() => {
    void useOf(pid).then((use) => {
      if (use === undefined) return;
      cpuAtStart ??= use.cpuMs;
      if (use.residentBytes <= limits.residentBytes && use.cpuMs - cpuAtStart <= limits.cpuMs) return;
      clearInterval(timer);
      onExceeded();
    });
  }, INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

/** Undefined once the process has ended. */
async function useOf(pid: number): Promise<{ residentBytes: number; cpuMs: number } | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  // The name in parentheses may contain spaces. After it, proc(5) numbers the fields from 3.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields === undefined) return undefined;
  const field = (number: number): number => Number(fields[number - 3]);
  return { residentBytes: field(24) * PAGE_BYTES, cpuMs: (field(14) + field(15)) * TICK_MS };
}
