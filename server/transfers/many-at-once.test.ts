import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { type Someone, succeed } from '#server/testing/case-builders.ts';
import { ScriptedProvider } from '#server/testing/scripted-rail.ts';
import { createRailApp, differencesWith, follow, followDue, releaseToRail } from './transfers.harness.ts';

it('what was just released goes before whatever was released earlier, its questions too', async () => {
  const provider = new ScriptedProvider();
  provider.fate = 'waiting';
  const app = await createRailApp(provider);
  onTestFinished(() => app.close());
  for (let release = 0; release < 2; release += 1) {
    await releaseToRail(app);
    for (let exchange = 0; exchange < 3; exchange += 1) {
      await followDue(app);
      app.clock.advance(60);
    }
  }
  const { rows } = await app.platform.pool.query<{ of: number }>(
    `select transfers.id as of from pgboss.job join transfers on transfers.tag::text = job.data->>'tag'
     where name = 'transfer' order by priority desc, transfers.id`,
  );
  // An exchange adds one job as it begins and one as it ends.
  const of = rows.map((row) => row.of);
  expect(of).toEqual(of.toSorted((one, other) => other - one));
  expect(new Set(of).size).toBe(2);
});

it('transfers that are due at once leave most of the connections to people', async () => {
  const provider = new ScriptedProvider();
  const app = await createRailApp(provider);
  onTestFinished(() => app.close());
  for (let one = 0; one < 8; one += 1) await releaseToRail(app);
  const due = await app.platform.db.selectFrom('transfers').select('tag').execute();
  const { db } = app.platform;
  let [running, most] = [0, 0];
  const inTransaction: typeof db.inTransaction = async (...work) => {
    running += 1;
    most = Math.max(most, running);
    return db.inTransaction(...work).finally(() => {
      running -= 1;
    });
  };
  const counted = { ...app.platform, db: Object.assign(Object.create(db), { inTransaction }) };
  await Promise.all(due.map(({ tag }) => follow(counted, tag)));
  expect([most, provider.calls.length]).toEqual([4, 8]);
  app.clock.advance(60);
  await Promise.all(due.map(({ tag }) => follow(counted, tag)));
  expect(most).toBe(4);
  expect(await differencesWith(app, provider)).toEqual([]);
});

interface Listed {
  readonly tag: string;
  readonly isLate?: boolean;
}

/** Every page of a list. */
async function pagesOf(
  { caller }: Someone,
  path: string,
): Promise<{ readonly pages: Listed[][]; readonly total: number }> {
  const pages: Listed[][] = [];
  for (let after = ''; ; after = `?after=${pages.at(-1)?.at(-1)?.tag}`) {
    const { rows, hasMore, total } = (await succeed(caller.get(`${path}${after}`))).body;
    pages.push(rows);
    if (!hasMore) return { pages, total };
  }
}

it('the lists of payouts have every one, on pages of fifty', async () => {
  const app = await createRailApp(new ScriptedProvider());
  onTestFinished(() => app.close());
  const built = await releaseToRail(app);
  const { db } = app.database.owner;
  // One application has one open payout; here it has many.
  await sql`drop index payouts_open, transfers_asked_for`.execute(db);
  const copy = (
    released: boolean,
  ) => sql`insert into payouts (invoice_id, kind, account_id, amount, prepared_at, prepared_by, released_at, released_by)
    select invoice_id, kind, account_id, amount, prepared_at, prepared_by, ${released ? sql`released_at, released_by` : sql`null, null`}
    from payouts cross join generate_series(1, 110) where id = 1`;
  for (const released of [true, false]) await copy(released).execute(db);
  const late = sql`case when payouts.id % 3 = 0 then now() - payouts.id % 7 * interval '1 minute' end`;
  await sql`insert into transfers (rail, direction, invoice_id, payout_id, amount, currency, number, label, reference, state, created_at, created_by, sent_at, told_at)
    select 'scripted', direction, payouts.invoice_id, case direction when 'out' then payouts.id end, payouts.amount, 'UGX', '0772000111', 'PAY-1', gen_random_uuid(), 'unknown',
      now(), payouts.prepared_by, now(), ${late}
    from payouts cross join (values ('out'), ('in')) as given (direction) where payouts.released_at is not null and payouts.id > 1`.execute(
    db,
  );
  const { pages: waiting, total } = await pagesOf(built.officer, '/payouts/waiting');
  expect([waiting.map(({ length }) => length), total]).toEqual([[50, 50, 10], 110]);
  expect(new Set(waiting.flat().map(({ tag }) => tag)).size).toBe(110);
  const { rows: counts } = await sql<{
    open: number;
    late: number;
  }>`select count(*) filter (where direction = 'out' or told_at is not null)::integer as open,
    count(told_at)::integer as late from transfers`.execute(db);
  const open = await pagesOf(built.officer, '/transfers/open');
  const lines = open.pages.flat();
  expect([lines.length, open.total, new Set(lines.map(({ tag }) => tag)).size]).toEqual([
    counts[0]?.open,
    counts[0]?.open,
    lines.length,
  ]);
  expect(lines.findIndex(({ isLate }) => isLate === false)).toBe(counts[0]?.late);
});
