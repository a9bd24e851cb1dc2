import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that wait for processes and timers for ten seconds and more: begun last, one of them would run on alone. */
const LONG = [
  'server/start.test.ts',
  'server/start-over-damage.test.ts',
  'permission-matrix.test.ts',
  'scripts/operator/doctor.test.ts',
  'proof/upgrades/rolling-upgrade.test.ts',
  'scripts/operator/tools.test.ts',
  'proof/outages/kills.test.ts',
  'proof/outages/restarts.test.ts',
  'proof/outages/failovers.test.ts',
  'scripts/operator/backup.test.ts',
  'embedded-postgres/embedded-postgres.test.ts',
  'embedded-postgres/damage.test.ts',
  'embedded-postgres/kill.test.ts',
  'messages/messages.test.ts',
  'scripts/operator/user.test.ts',
  'embedded-postgres/accounts.test.ts',
  'messages/crash.test.ts',
  'scripts/operator/restore.test.ts',
  'proof/rails/rails.test.ts',
];

/** Vitest begins with what took longest the last time, which a fresh clone does not know. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification): number => {
      const found = LONG.findIndex((name) => moduleId.endsWith(name));
      return found === -1 ? LONG.length : found;
    };
    return sorted.toSorted((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  test: {
    include: [
      'contract/**/*.test.ts',
      'server/**/*.test.ts',
      'web/**/*.test.ts',
      'scripts/**/*.test.ts',
      'bench/**/*.test.ts',
      'proof/**/*.test.ts',
      'simulators/**/*.test.ts',
      'testing/**/*.test.ts',
    ],
    globalSetup: ['./testing/test-cluster.ts'],
    // Bounds for what hangs; a busy machine takes ten times what a quiet one does.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 100_000 } },
    // Tests wait for the database and for processes half of their time: four keep two cores busy.
    maxWorkers: 4,
    pool: 'forks',
    // A file finds what the one before has loaded, which halves the run, and no more than that.
    isolate: false,
    setupFiles: ['./scripts/put-back.ts'],
    // As for the journeys: a shared, busy machine may hold one test up, and the summary names it.
    retry: process.env.CI === undefined ? 0 : 1,
    sequence: { sequencer: LongestFirst },
  },
});
