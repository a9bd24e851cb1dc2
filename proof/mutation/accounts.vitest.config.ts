import { defineConfig } from 'vitest/config';

/** The tests that mutants of accounts and sessions have to get past: over HTTP, each file against a database of its own. */
export default defineConfig({
  test: {
    include: ['server/accounts/**/*.test.ts'],
    globalSetup: ['./server/testing/test-cluster.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    isolate: false,
  },
});
