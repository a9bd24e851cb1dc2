import { defineConfig } from 'vitest/config';

/**
 * The tests that mutants of the rules have to get past. Without the long walk, which every mutant of the table of steps would
 * take for seconds: what it finds the shorter ones find too.
 */
export default defineConfig({
  test: { include: ['contract/**/*.test.ts'], exclude: ['contract/applications/walk.test.ts'] },
});
