import { defineConfig } from 'vitest/config';

/** The tests that can kill mutants of accounts and sessions: over HTTP, each file with its own database. */
export default defineConfig({
  test: {
    include: ['server/accounts/**/*.test.ts'],
    globalSetup: ['./testing/test-cluster.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    isolate: false,
  },
});
