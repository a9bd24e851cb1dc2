import { beforeAll, describe, expect, it } from 'vitest';
import { canaryFound, proved, rounds } from '#testing/evidence/record.ts';
import { appOfFile } from '#testing/test-app.ts';
import { buildRacers, type Meddle, type Racers, races } from './races.harness.ts';

/** A few rounds of each in `npm test`, a thousand in `npm run prove`. */
const ROUNDS = rounds(3, 1_000);

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });
let racers: Racers;
beforeAll(async () => {
  racers = await buildRacers(app);
});

describe('of fifty at once', () => {
  it('two winners and a step too many are found: the canary', async () => {
    const secondWinner: Meddle = async (_, answers) => {
      const [winner] = answers.filter(({ status }) => status === 200);
      const loser = answers.findIndex(({ status }) => status !== 200);
      if (winner !== undefined) answers[loser] = winner;
    };
    await expect(races.raceDecisions(app, racers, secondWinner)).rejects.toThrow('not one winner');
    const secondStep: Meddle = async ({ id }) => {
      const step = { invoice_id: id, step: 'approve', from_status: 'In Review', to_status: 'Approved' } as const;
      await app.platform.db
        .insertInto('application_steps')
        .values({ ...step, at: app.clock.now() })
        .execute();
    };
    await expect(races.raceDecisions(app, racers, secondStep)).rejects.toThrow('another step than the winner’s');
    canaryFound(
      'races',
      'a second winner among fifty answers, and a second step stored behind the server’s back, were found',
    );
  });

  it.each([
    ['decisions, one is taken', 'raceDecisions'],
    ['approvals, one is the first and one of another officer the second', 'raceSecondApprovals'],
    ['takers, one officer has the case', 'raceTakers'],
    ['decisions of an unassigned case, one is taken and takes it', 'raceFirstActs'],
    ['withdrawals and refusals, one is taken', 'raceWithdrawal'],
    ['answers to an offer, one is taken', 'raceOffer'],
  ] as const)('%s', { timeout: 120_000 + ROUNDS * 5_000 }, async (what, name) => {
    let won = 0;
    for (; won < ROUNDS; won += 1) await races[name](app, racers);
    proved('races', `${won} races of fifty ${what}`);
  });
});
