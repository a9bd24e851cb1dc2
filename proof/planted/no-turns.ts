import type { Platform } from '#server/platform.ts';
import { FairTurns } from '#server/traffic/fair-turns.ts';

/** Turns that everybody has at once: nobody waits for another's calls and none is refused, as before there were turns. */
export function noTurns(platform: Platform): FairTurns {
  return new FairTurns(platform, { atOnce: Number.POSITIVE_INFINITY, waiting: 0 });
}
