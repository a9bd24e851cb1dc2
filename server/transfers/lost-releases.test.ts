import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { triggers } from '#server/audit/record-events.harness.ts';
import { buildApprovedCase, type PayableCase, succeed } from '#testing/case-builders.ts';
import { prepare, release } from '#testing/payout-builders.ts';
import { bySystem, checkedRailOfTest, followDue, followToTheEnd, transfersOf } from './transfers.harness.ts';

/**
 * A standby that lacks the newest transactions, or a restored backup: payouts that the provider has already accepted
 * are ordered again, and the provider pays each once.
 */

const { app, provider } = checkedRailOfTest({ WALLET_TRANSACTION_LIMIT: 'UGX:300000' });
let built: PayableCase;
beforeEach(async () => {
  built = await buildApprovedCase(app, { advance: 90_000_055 });
  await succeed(prepare(built.officer, built.tag));
});

/** Copies every row, and returns a function that restores them, including append-only ones. */
async function keepRows(): Promise<() => Promise<void>> {
  const { db } = app.database.owner;
  const { rows: tables } = await sql<{ name: string; columns: string }>`
    select quote_ident(relname) as name, string_agg(quote_ident(attname), ', ') as columns from pg_class
      join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
    where relkind = 'r' and relnamespace = current_schema()::regnamespace group by relname`.execute(db);
  await sql`drop schema if exists kept cascade`.execute(db);
  await sql`create schema kept`.execute(db);
  for (const { name } of tables) await sql.raw(`create table kept.${name} as table ${name}`).execute(db);
  return () =>
    db.inTransaction(async (change) => {
      await triggers(false).execute(change);
      await sql.raw(`truncate ${tables.map(({ name }) => name).join(', ')}`).execute(change);
      for (const { name, columns } of tables)
        await sql
          .raw(`insert into ${name} (${columns}) overriding system value select ${columns} from kept.${name}`)
          .execute(change);
    });
}

const referencesOf = async () => (await transfersOf(app, built)).map(({ reference }) => reference);

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('a payout', () => {
  it('has one reference from its preparation on: released again after its release was lost, it is paid once', async () => {
    const restore = await keepRows();
    await succeed(release(built.payer, built.tag, bySystem));
    await followDue(app);
    const sent = await referencesOf();
    await restore();
    expect(await referencesOf()).toEqual([]);
    await succeed(release(built.payer, built.tag, bySystem));
    await followToTheEnd(app);
    expect((await referencesOf())[0]).toBe(sent[0]);
    expect([...provider.paid.values()]).toEqual([30_000_000, 30_000_000, 20_100_000]);
  });

  it('has a reference for each part, which follows from the one before: a part whose order was lost is paid once', async () => {
    await succeed(release(built.payer, built.tag, bySystem));
    await followDue(app);
    app.clock.advance(30);
    const restore = await keepRows();
    await followDue(app); // the first one is paid, and the second ordered
    await followDue(app);
    const sent = await referencesOf();
    expect(sent).toHaveLength(2);
    await restore();
    expect(await referencesOf()).toHaveLength(1);
    await followToTheEnd(app);
    const references = await referencesOf();
    expect(references.slice(0, 2)).toEqual(sent);
    expect(new Set(references).size).toBe(3);
    for (const reference of references) expect(reference).toMatch(UUID_V4);
    expect([...provider.paid.values()]).toEqual([30_000_000, 30_000_000, 20_100_000]);
  });
});
