import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Runs the races of decisions, of submissions and of a limit's last shilling as often as one asks for, against a real
 * database:
 *
 *   node scripts/prove-races.ts [rounds]
 *
 * Each round is of fifty requests at once and must leave exactly one winner, or as many as fit below a limit. They are the tests' own races
 * (server/testing/race-rounds.ts), so the answer is a test run's: 0 where every round held.
 */

const [rounds = '1000'] = process.argv.slice(2);
if (!/^[1-9]\d{0,6}$/.test(rounds)) {
  console.error('Say how many rounds: node scripts/prove-races.ts 1000');
  process.exit(2);
}

const files = ['server/desk/races.test.ts', 'server/limits/races.test.ts'];
const root = join(import.meta.dirname, '..');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', '--reporter=verbose', ...files], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, RACE_ROUNDS: rounds },
});
process.exit(status ?? 1);
