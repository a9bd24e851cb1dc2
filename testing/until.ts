import { setTimeout as sleep } from 'node:timers/promises';

/** A bound for what hangs: a busy machine takes ten times what a quiet one does. */
const LIMIT_MS = 100_000;
const PAUSE_MS = 10;

/** Waits for a condition that comes about by itself; throws if it does not. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const giveUp = performance.now() + LIMIT_MS;
  while (performance.now() < giveUp) {
    if (await holds()) return;
    await sleep(PAUSE_MS);
  }
  throw new Error('it did not come to that');
}
