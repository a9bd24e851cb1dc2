import { afterAll, beforeAll, describe, it } from 'vitest';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { duplicateSubmissionRace, lastShillingRace, paymentsRace, type Round, reversalRace } from './races.harness.ts';

/** What a round asserts stands in the harness. A machine under load needs seconds for fifty at once. */
const TIMEOUT_MS = 120_000;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function repeat(times: number, round: Round): Promise<void> {
  for (let time = 0; time < times; time += 1) await round();
}

describe('at once', () => {
  it(
    'fifty submissions for the last shillings of a limit leave as many as fit',
    async () => repeat(20, await lastShillingRace(app)),
    TIMEOUT_MS,
  );

  it(
    'fifty submissions of one application submit it once',
    async () => repeat(5, await duplicateSubmissionRace(app)),
    TIMEOUT_MS,
  );

  it('fifty reversals make one counter-entry', async () => repeat(5, await reversalRace(app)), TIMEOUT_MS);

  it(
    'fifty disbursements pay out once, and fifty receipts lose no shilling',
    async () => repeat(3, await paymentsRace(app)),
    TIMEOUT_MS,
  );
});
