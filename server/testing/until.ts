import { setTimeout as sleep } from 'node:timers/promises';

const TRIES = 1000;
const PAUSE_MS = 10;

/** Waits until something holds that comes about by itself; throws where it has not within 10 s. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await holds()) return;
    await sleep(PAUSE_MS);
  }
  throw new Error('it did not come to that');
}
