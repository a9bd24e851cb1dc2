import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildRacers, type Racers, races } from '#server/desk/races.harness.ts';
import { RACE_ROUNDS } from '#server/testing/race-rounds.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';

/** A few rounds of each; `node scripts/prove-races.ts 1000` runs as many as one asks for. */

let app: TestApp;
let racers: Racers;
beforeAll(async () => {
  app = await createTestApp({ SESSION_IDLE_MINUTES: '720' });
  racers = await buildRacers(app);
});
afterAll(() => app.close());

describe('of fifty at once', () => {
  it.each([
    ['decisions, one is taken', 'raceDecisions'],
    ['approvals, one is the first and one of another officer the second', 'raceSecondApprovals'],
    ['takers, one officer has the case', 'raceTakers'],
    ['withdrawals and reviews, one is taken', 'raceWithdrawal'],
  ] as const)('%s', { timeout: 30_000 + RACE_ROUNDS * 5_000 }, async (_, name) => {
    let won = 0;
    for (let round = 0; round < RACE_ROUNDS; round += 1) {
      await races[name](app, racers);
      won += 1;
    }
    expect(won).toBe(RACE_ROUNDS);
  });
});
