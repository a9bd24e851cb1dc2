import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { type Database, scopedDatabase } from '#server/db/database.ts';
import { inScopeOf } from '#server/db/row-scope.ts';
import {
  buildDisbursedCase,
  buildOfficer,
  MORE_TIME,
  onDesk,
  type PayableCase,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';

/**
 * The only rows about repayment that the database lets a client write: their request for more time, their acceptance of
 * an agreed offer, and their note.
 */

const app = appOfFile();
let scoped: Database;
/** An application that was paid out, with more time requested, offered and agreed. */
let asked: PayableCase;
let offered: PayableCase;
let agreed: PayableCase;
let second: Someone;

beforeAll(async () => {
  scoped = scopedDatabase(app.platform);
  second = await buildOfficer(app);
  asked = await buildDisbursedCase(app);
  await succeed(asked.client.caller.post(`/applications/${asked.tag}/ask_extension`, MORE_TIME));
  [offered, agreed] = [await buildDisbursedCase(app), await buildDisbursedCase(app)];
  for (const { tag, officer } of [offered, agreed]) await succeed(onDesk(officer, tag, 'offer_extension', MORE_TIME));
  const { body } = await succeed(second.caller.get(`/applications/${agreed.tag}/extension`));
  await succeed(onDesk(second, agreed.tag, 'agree_extension', { keyFactsVersion: body.offer.version }));
});

/**
 * The result of a statement in the client's own scope, rolled back afterwards: the number of changed rows, or the error
 * code.
 */
async function attempt({ client: { person } }: PayableCase, ...statements: RawBuilder<unknown>[]) {
  const undone = new Error('undone');
  let outcome: number | string | undefined;
  const run = () =>
    scoped.inTransaction(async (change) => {
      for (const statement of statements) outcome = Number((await statement.execute(change)).numAffectedRows);
      throw undone;
    });
  await inScopeOf({ id: person.id, businessId: person.businessId, perms: ['BIDA'] }, run).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError) outcome = error.code;
    else if (error !== undone) throw error;
  });
  return outcome;
}

const REFUSED = '42501';
const CHECK = '23514';

const me = ({ client }: PayableCase) => client.person.id;
const accepts = (of: PayableCase, by = me(of)) =>
  sql`closed_at = now(), closed_by = ${by}, version = 'v', facts = '{}', fee = 1, due_on = '2027-01-05'`;
const update = (of: PayableCase, set: RawBuilder<unknown>) =>
  attempt(of, sql`update extensions set ${set} where invoice_id = ${of.id}`);

it('the database lets a client accept an agreed offer in their own name, and change nothing else about it', async () => {
  expect(await update(agreed, accepts(agreed))).toBe(1);
  expect(await update(agreed, accepts(agreed, second.person.id))).toBe(REFUSED);
  expect(await update(agreed, sql`closed_at = now(), closed_by = ${me(agreed)}`)).toBe(REFUSED);
  for (const other of [sql`tenor_days = 7`, sql`agreed_by = ${me(agreed)}`, sql`offered_at = now()`])
    expect(await update(agreed, sql`${accepts(agreed)}, ${other}`)).toBe(CHECK);
  expect(await attempt(agreed, sql`delete from extensions`)).toBe(0);
});

it('the database lets a client neither agree to an offer nor make one', async () => {
  const agrees = (of: PayableCase) => sql`agreed_at = now(), agreed_by = ${me(of)}`;
  for (const of of [asked, offered]) {
    expect(await update(of, agrees(of))).toBe(0);
    expect(await update(of, sql`${agrees(of)}, ${accepts(of)}`)).toBe(0);
  }
  const insert = (columns: RawBuilder<unknown>, values: RawBuilder<unknown>) =>
    attempt(
      fresh,
      sql`insert into extensions (invoice_id, financing_period_id, tenor_days, reason, asked_at, asked_by${columns})
        values (${fresh.id}, 2, 15, 'More time', now(), ${values})`,
    );
  const fresh = await buildDisbursedCase(app);
  expect(await insert(sql``, sql`${me(fresh)}`)).toBe(1);
  expect(await insert(sql``, sql`${second.person.id}`)).toBe(REFUSED);
  const offer = sql`, offered_at, offered_by`;
  expect(await insert(offer, sql`${me(fresh)}, now(), ${me(fresh)}`)).toBe(REFUSED);
});

it('the database lets a client add the entry of an agreed offer, with its own accounts', async () => {
  const tag = randomUUID();
  const entry = (of: PayableCase) =>
    sql`insert into journal_entries (tag, invoice_id, currency_id, kind, amount, occurred_on, recorded_at, recorded_by)
      values (${tag}, ${of.id}, 1, 'extension', 70, '2026-11-20', now(), ${me(of)})`;
  const lines = (one: string, two: string) =>
    sql`insert into journal_lines (entry_id, account, amount)
      select id, account, line.amount from journal_entries, (values (${one}, 70.00), (${two}, -70.00)) as line (account, amount)
      where tag = ${tag}`;
  expect(await attempt(agreed, entry(agreed), lines('advances', 'feesNotEarned'))).toBe(2);
  expect(await attempt(agreed, entry(agreed), lines('cashBank', 'advances'))).toBe(REFUSED);
  expect(await attempt(agreed, entry(agreed), lines('advances', 'clientPayable'))).toBe(REFUSED);
  for (const of of [asked, offered]) expect(await attempt(of, entry(of))).toBe(REFUSED);
});

it('the database lets a client write a note only in their own name', async () => {
  const say = (by: number) =>
    attempt(
      agreed,
      sql`insert into collection_entries (invoice_id, kind, at, by_person, note, day)
        values (${agreed.id}, 'buyerLate', now(), ${by}, 'They pay in January', '2027-01-05')`,
    );
  expect(await say(me(agreed))).toBe(1);
  expect(await say(second.person.id)).toBe(REFUSED);
});
