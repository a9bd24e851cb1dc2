import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HOUR_MS } from '#contract/time/durations.ts';
import { pauseAfter } from './asking.ts';

it('the pauses grow, from seconds to an hour, and go on for ever', () => {
  expect(pauseAfter(1)).toBe(5000);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), (asks) => {
      expect(pauseAfter(asks + 1)).toBeGreaterThanOrEqual(asks === 0 ? 5000 : pauseAfter(asks));
      expect(pauseAfter(asks)).toBeLessThanOrEqual(HOUR_MS);
    }),
  );
});
