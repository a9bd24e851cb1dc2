import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HOUR_MS } from '#contract/time/durations.ts';
import { pauseAfter } from './asking.ts';

it.each(['out', 'in'] as const)(
  'the pauses between questions grow from seconds to an hour and never stop: %s',
  (direction) => {
    expect(pauseAfter(1, direction)).toBe(5000);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (asks) => {
        expect(pauseAfter(asks + 1, direction)).toBeGreaterThanOrEqual(asks === 0 ? 5000 : pauseAfter(asks, direction));
        expect(pauseAfter(asks, direction)).toBeLessThanOrEqual(HOUR_MS);
      }),
    );
  },
);
