import type { Platform } from '#server/platform/platform.ts';
import { FairTurns } from '#server/traffic/fair-turns.ts';

/** Turns without limits: no call waits and none is refused. */
export function noTurns(platform: Platform): FairTurns {
  return new FairTurns(platform, { atOnce: Number.POSITIVE_INFINITY, waiting: 0 });
}
