import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '#contract/time/durations.ts';
import { canaryFound, proved, rounds } from '#testing/evidence/record.ts';
import { appOfFile } from '#testing/test-app.ts';
import { duplicateSubmissionRace, lastShillingRace, type Meddle, paymentsRace, reversalRace } from './races.harness.ts';

/** The number of rounds in `npm run prove`; `npm test` runs a few. */
const MANY = 1_000;

const app = appOfFile();

describe('of fifty at once', () => {
  it('one submission too many is found: the canary', async () => {
    const oneMore: Meddle = async (drafts) => {
      const ids = drafts.map(({ id }) => id);
      const { rows } =
        await sql`update invoices set status = 'Submitted', submitted_at = now(), submitted_by = created_by,
        decision_target_ms = 1, clock_runs_since = now(), decide_by = now()
        where id = (select id from invoices where id = any (${ids}) and status = 'Draft' limit 1) returning id`.execute(
          app.platform.db,
        );
      expect(rows).toHaveLength(1);
    };
    const round = await lastShillingRace(app, oneMore);
    await expect(round()).rejects.toThrow('strictly equal');
    canaryFound('limit-races', 'an application submitted past the limit behind the server’s back was found');
  });

  it.each([
    ['submissions for the last shillings of a limit, as many are taken as fit', lastShillingRace, rounds(5, MANY)],
    ['submissions of one application, it is submitted once', duplicateSubmissionRace, rounds(3, MANY)],
    ['reversals, one counter-entry is made', reversalRace, rounds(3, MANY)],
    ['disbursements one is made, and of fifty receipts no shilling is lost', paymentsRace, rounds(2, MANY)],
  ] as const)('%s', { timeout: HOUR_MS * 6 }, async (what, race, many) => {
    const round = await race(app);
    let won = 0;
    for (; won < many; won += 1) await round();
    proved('limit-races', `${won} races of fifty ${what}`);
  });
});
