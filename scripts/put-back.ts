import { afterAll, vi } from 'vitest';
import { endFile } from '#server/testing/file-end.ts';

/** Puts back, after each file, what its tests replaced: the next file of the worker finds everything as it was. */
afterAll(async () => {
  await endFile();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.resetConfig();
});
