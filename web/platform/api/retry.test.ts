import { expect, it } from 'vitest';
import { ApiFailure } from './api.ts';
import { isWorthRetrying, retryDelayMs } from './retry.ts';

it('a call to a busy server is repeated twice, and not before the server allows it', () => {
  const busy = new ApiFailure('UNAVAILABLE', 'Kasente is busy or restarting. Try again in a moment', {
    retryAfterSeconds: 5,
  });
  const lost = new ApiFailure('NETWORK', 'No connection. Check your network and try again.');
  expect([0, 1].map((failures) => retryDelayMs(failures, busy))).toEqual([5000, 5000]);
  expect([0, 1].map((failures) => retryDelayMs(failures, lost))).toEqual([1000, 2000]);
  expect([0, 1, 2].map((failures) => isWorthRetrying(failures, busy))).toEqual([true, true, false]);
  expect(isWorthRetrying(0, new ApiFailure('NOT_FOUND', 'Not found'))).toBe(false);
});
