import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Platform } from '#server/platform/platform.ts';

/**
 * For replies whose timing must not reveal who has an account. They are sent at the next multiple of a step after the
 * call began. The work behind them is the same already (constant-time.ts); this hides other differences, such as where
 * PostgreSQL finds a row (docs/decisions/0007-codes-and-logins.md). Returns a function that waits until the reply is
 * due.
 */
export function timingEqualizer({ config }: Platform): () => Promise<void> {
  const step = config.answerStepMs;
  const began = performance.now();
  return async () => {
    if (step > 0) await wait(step - ((performance.now() - began) % step));
  };
}
