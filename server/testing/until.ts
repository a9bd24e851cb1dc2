import { setTimeout as sleep } from 'node:timers/promises';

const TRIES = 1000;
const PAUSE_MS = 10;

/** Waits for a condition that comes about by itself; throws after 10 s. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await holds()) return;
    await sleep(PAUSE_MS);
  }
  throw new Error('it did not come to that');
}
