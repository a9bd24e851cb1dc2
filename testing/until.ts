import { setTimeout as sleep } from 'node:timers/promises';

/** A limit only for hangs: a busy machine takes ten times as long as a quiet one. */
const LIMIT_MS = 100_000;
const PAUSE_MS = 10;

/** Waits for a condition to become true by itself; throws if it does not. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const giveUp = performance.now() + LIMIT_MS;
  while (performance.now() < giveUp) {
    if (await holds()) return;
    await sleep(PAUSE_MS);
  }
  throw new Error('it did not come to that');
}
