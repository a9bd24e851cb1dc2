import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Platform } from '#server/platform.ts';

/**
 * Answers that must not tell by the clock who has an account: they come at the next multiple of a step after the call
 * began. The work behind them is equal already (pretence.ts); this hides what is left, such as where PostgreSQL finds a
 * row or notes none (docs/decisions/0007-codes-and-logins.md). Returns what waits until one is due.
 */
export function timingEqualizer({ config }: Platform): () => Promise<void> {
  const step = config.answerStepMs;
  const began = performance.now();
  return async () => {
    if (step > 0) await wait(step - ((performance.now() - began) % step));
  };
}
