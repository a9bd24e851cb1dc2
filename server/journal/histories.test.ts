import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { HOUR_MS } from '#contract/time/durations.ts';
import { canaryFound, proved, rounds } from '#testing/evidence/record.ts';
import { appOfFile } from '#testing/test-app.ts';
import { buildApplications, cutConnections, enterAtRandom, faultsOf, type Ground } from './histories.harness.ts';

/** Random histories in the real database: a thousand lines in `npm test`, a million in `npm run prove -- journal`. */

const LINES = rounds(1_000, 1_000_000);
const APPLICATIONS = rounds(6, 300);
/** Connections are cut each time this number of lines has been added. */
const CUT_EVERY = rounds(400, 20_000);
const WRITERS = 4;

const app = appOfFile();
let applications: Ground[];
beforeAll(async () => {
  applications = await buildApplications(app, APPLICATIONS);
}, HOUR_MS);

it(
  'the journal balances after random histories with cut connections, and a planted cent is found',
  async () => {
    let [lines, entries, cuts, lost] = [0, 0, 0, 0];
    const write = async (writer: number): Promise<void> => {
      for (let turn = writer; lines < LINES; turn += 1) {
        const of = applications[turn % applications.length];
        if (of === undefined) return;
        try {
          // Added after the wait: concurrent writers would all add to the same earlier state.
          const added = await enterAtRandom(app, of);
          lines += added;
          entries += 1;
        } catch {
          lost += 1; // its connection was cut; the journal shows whether it was recorded
        }
        if (lines > (cuts + 1) * CUT_EVERY) {
          cuts += 1;
          await cutConnections(app);
        }
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    expect(await faultsOf(app, applications)).toEqual([]);
    expect(cuts).toBeGreaterThan(0);
    // More losses would have a cause other than the cuts.
    expect(lost).toBeLessThanOrEqual(cuts * WRITERS);

    await plantCent();
    expect(await faultsOf(app, applications)).toEqual([
      expect.stringMatching(/^entry \d+ sums to 0\.01$/),
      'a currency sums to 0.01',
      expect.stringMatching(/^application /),
    ]);
    canaryFound('journal', 'one cent in one line, planted past the constraint, was found by its entry');
    proved(
      'journal',
      `${lines.toLocaleString('en')} lines of ${entries.toLocaleString('en')} random entries and reversals on ${APPLICATIONS} applications in two currencies, ${cuts} times all connections cut: 0 entries that do not balance, 0 balances that do not follow from what is in force`,
    );
  },
  HOUR_MS * 3,
);

function plantCent(): Promise<void> {
  return app.database.owner.db.inTransaction(async (change) => {
    await sql`set local session_replication_role = replica`.execute(change);
    await sql`update journal_lines set amount = amount + 0.01 where (entry_id, account) in (
      select entry_id, account from journal_lines where account = 'advances' and amount <> -0.01 order by entry_id limit 1)`.execute(
      change,
    );
  });
}
