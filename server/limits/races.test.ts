import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RACE_ROUNDS } from '#server/testing/race-rounds.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { duplicateSubmissionRace, lastShillingRace, paymentsRace, reversalRace } from './races.harness.ts';

/** A few rounds of each; `node scripts/prove-races.ts 1000` runs as many as one asks for. */

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe('of fifty at once', () => {
  it.each([
    ['submissions for the last shillings of a limit, as many are taken as fit', lastShillingRace, 20],
    ['submissions of one application, it is submitted once', duplicateSubmissionRace, 5],
    ['reversals, one counter-entry is made', reversalRace, 5],
    ['disbursements one is made, and of fifty receipts no shilling is lost', paymentsRace, 3],
  ] as const)('%s', { timeout: 60_000 + RACE_ROUNDS * 10_000 }, async (_, race, least) => {
    const round = await race(app);
    const rounds = Math.max(least, RACE_ROUNDS);
    let won = 0;
    for (; won < rounds; won += 1) await round();
    expect(won).toBe(rounds);
  });
});
