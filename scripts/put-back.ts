import { afterAll, vi } from 'vitest';
import { endFile } from '#testing/file-end.ts';

/** After each test file, restores everything that its tests replaced, for the worker's next file. */
afterAll(async () => {
  await endFile();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.resetConfig();
});
