import { afterAll, vi } from 'vitest';
import { endFile } from '#server/testing/file-end.ts';

/** The next file of a worker finds the world as it was: what a test of this one took the place of is back at its end. */
afterAll(async () => {
  await endFile();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.resetConfig();
});
