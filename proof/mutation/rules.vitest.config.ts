import { defineConfig } from 'vitest/config';

/**
 * The tests that can kill mutants of the rules. The long random walk is left out: it takes seconds for each mutant of
 * the lifecycle table, and the shorter tests find the same.
 */
export default defineConfig({
  test: { include: ['contract/**/*.test.ts'], exclude: ['contract/applications/walk.test.ts'] },
});
