import { PgBoss } from 'pg-boss';
import { expect } from 'vitest';
import { type Rail, railCodes } from '#contract/statements/layouts.ts';
import { addDays, kampalaDate } from '#contract/time/calendar.ts';
import { succeed } from '#testing/case-builders.ts';
import { until } from '#testing/until.ts';
import { slashed } from './bank.harness.ts';
import { victim } from './killing.harness.ts';
import { type AccountDay, closeOnce, explainAll, importStatement, readDay, statementOf } from './officers.harness.ts';
import { killWhileClosed } from './points.harness.ts';
import { type PaidCase, type RailsWorld, railIds } from './rails.harness.ts';

/** Closes the day of all payments, once each has ended. */

const DAYS = /\b(?:\d{4}-\d{2}-\d{2}|\d{2}\/\d{2}\/\d{4})\b/;

/** The rails whose statement has lines; an empty one would be refused. */
async function railsWithLines(world: RailsWorld): Promise<readonly Rail[]> {
  const statements = await Promise.all(railCodes.map((rail) => statementOf(world, rail)));
  return railCodes.filter((_, nth) => DAYS.test(statements[nth] ?? ''));
}

/** Imports all statements, and lets the sweep finish the imports of killed servers. */
export async function creditTheRest(world: RailsWorld, { officer }: PaidCase): Promise<void> {
  const { pool } = world.app.database.owner;
  const open = `select from suspense where amount <> 0 union all select from transfers where known_at is null`;
  const isDone = async (): Promise<boolean> => (await pool.query(open)).rows.length === 0;
  for (const rail of await railsWithLines(world)) await succeed(importStatement(world, officer, rail));
  if (await isDone()) return;
  // A new sweep would wait for the one that was killed.
  await pool.query(`delete from pgboss.job where name = 'sweep-received-money'`);
  const executeSql = (text: string, values: unknown[] = []) => pool.query(text, values);
  await new PgBoss({ db: { executeSql } }).send('sweep-received-money', {});
  await until(isDone);
}

/** Moves all money and transfers to yesterday, as if midnight in Kampala had passed; returns yesterday's date. */
export async function letTheDayEnd({ app }: RailsWorld): Promise<string> {
  const day = addDays(kampalaDate(app.clock.now()), -1);
  // The journal's triggers refuse changes; only the owner's session may switch them off.
  await app.database.owner.pool.query(`begin; set local session_replication_role = replica;
    update journal_entries set occurred_on = '${day}' where occurred_on > '${day}';
    update imported_lines set occurred_on = '${day}' where occurred_on > '${day}';
    update provider_records set asked_at = asked_at - interval '1 day', known_at = known_at - interval '1 day';
    update transfers set created_at = created_at - interval '1 day'
      where (created_at at time zone 'Africa/Kampala')::date > '${day}';
    commit`);
  return day;
}

/**
 * Closes the day of every account, with a kill during each close. The differences must be the payments that the
 * providers left out of their statements; once explained, none stays open. Returns the number of differences.
 */
export async function closeDays(world: RailsWorld, built: PaidCase, day: string): Promise<number> {
  let named = 0;
  for (const id of railIds) {
    world.noise[id] = [];
    await world.faults(id);
  }
  const rails = await railsWithLines(world);
  let server = await world.start();
  for (const rail of rails) {
    const account = { rail, currency: 'UGX', day };
    const statement = (await statementOf(world, rail)).replaceAll(new RegExp(DAYS, 'g'), (date) =>
      date.includes('/') ? slashed(day) : day,
    );
    await succeed(importStatement(world, built.officer, rail, statement));
    if (rail !== 'bank') await askUntilAnswered(world, account);
    const { differences } = await readDay(world.auditor, account);
    expect(differences.map(({ kind, reference }) => `${kind} ${reference}`).sort()).toEqual(await leftOut(world, rail));
    named += differences.length;
    await explainAll(world.auditor, account);
    await killWhileClosed({ world, built, direction: 'out', server: victim(server) }, account, true);
    server = await world.start();
    await closeOnce(built.payer, account);
    const { days } = await readDay(world.auditor, account);
    expect(days.find((one) => one.day === day)).toEqual({ day, open: 0, state: 'closed' });
  }
  await server.stop();
  const { rows } = await world.app.platform.pool.query('select from reconciled_days');
  expect(rows).toHaveLength(world.bank.charges.length + rails.length);
  return named;
}

async function askUntilAnswered({ auditor }: RailsWorld, account: AccountDay): Promise<void> {
  await until(async () => {
    await succeed(auditor.caller.post('/transfers/ask', account));
    return (await readDay(auditor, account)).transfers.unanswered === 0;
  });
}

/** The expected differences: the payments that a provider's statement lacks. */
async function leftOut({ providers }: RailsWorld, rail: Rail): Promise<readonly string[]> {
  if (rail === 'bank') return [];
  const { transactions } = await providers[rail].book();
  const lacking = transactions.filter(({ state, plan }) => state === 'succeeded' && plan.statement === 'missing');
  return lacking.map(({ financialId }) => `missingThere ${financialId}`).sort();
}
