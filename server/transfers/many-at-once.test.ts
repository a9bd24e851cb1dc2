import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '#server/observability/logging.ts';
import { succeed } from '#testing/case-builders.ts';
import { ScriptedProvider } from '#testing/scripted-rail.ts';
import { createRailApp, differencesWith, follow, followDue, releaseToRail, transfersOf } from './transfers.harness.ts';
import { transferMetrics } from './transfers.metrics.ts';

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
  // An exchange adds one job when it starts and one when it ends.
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

it.each([
  ['answers, and does not say how they ended, is still called', 'ambiguous', [300, 'succeeded']],
  ['does not answer is called by one of them alone', 'lost', [40, 'released']],
] as const)('a provider that %s', async (_, answer, expected) => {
  const provider = new ScriptedProvider();
  provider.asking = Array.from({ length: 100 }, () => answer);
  const app = await createRailApp(provider);
  onTestFinished(() => app.close());
  const first = await releaseToRail(app);
  for (let one = 1; one < 6; one += 1) await releaseToRail(app);
  for (let minute = 0; minute < 6; minute += 1) {
    await followDue(app);
    app.clock.advance(60);
  }
  await followDue(app);
  const [asked] = await transfersOf(app, first);
  const pause = (Number(asked?.next_ask_at) - Number(asked?.asked_at)) / 1000;
  provider.sending = ['paid'];
  const released = await releaseToRail(app);
  await followDue(app);
  const [sent] = await transfersOf(app, released);
  expect([pause, sent?.state]).toEqual(expected);
});

it('a provider that does not answer is named in the log and in the metrics, with its number of unknown transfers', async () => {
  const provider = new ScriptedProvider();
  provider.sending = Array.from({ length: 6 }, () => 'dropped' as const);
  const opened = await createRailApp(provider);
  onTestFinished(() => opened.close());
  const lines: unknown[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const app = { ...opened, platform: { ...opened.platform, log } };
  const measured = async () => {
    const samples = await Promise.all(transferMetrics.map(async ({ measure }) => measure(app.platform)));
    return samples.flat().map(({ labels, value }) => [labels.rail, value]);
  };
  for (let one = 0; one < 6; one += 1) await releaseToRail(app);
  await followDue(app);
  expect(await measured()).toEqual([
    ['scripted', 1],
    ['scripted', 6],
  ]);
  app.clock.advance(60);
  await followDue(app);
  expect(await measured()).toEqual([
    ['scripted', 0],
    ['scripted', 0],
  ]);
  expect(lines).toMatchObject([
    { msg: 'a provider does not answer', rail: 'scripted', unknown: 5 },
    { msg: 'a provider answers again', rail: 'scripted', unknown: 5 },
  ]);
});

it('the board shows the first fifty payouts on their way, late ones first, and counts all', async () => {
  const app = await createRailApp(new ScriptedProvider());
  onTestFinished(() => app.close());
  const { officer } = await releaseToRail(app);
  const { db } = app.database.owner;
  // An application may have only one open payout; this one needs many.
  await sql`drop index payouts_open, transfers_asked_for`.execute(db);
  await sql`insert into payouts (invoice_id, kind, account_id, amount, prepared_at, prepared_by, released_at, released_by)
    select invoice_id, kind, account_id, amount, prepared_at, prepared_by, released_at, released_by
    from payouts cross join generate_series(1, 110) where id = 1`.execute(db);
  const late = sql`case when payouts.id % 3 = 0 then now() - payouts.id % 7 * interval '1 minute' end`;
  await sql`insert into transfers (rail, direction, invoice_id, payout_id, amount, currency, number, label, reference, state, created_at, created_by, sent_at, told_at)
    select 'scripted', direction, payouts.invoice_id, case direction when 'out' then payouts.id end, payouts.amount, 'UGX', '0772000111', 'PAY-1', gen_random_uuid(), 'unknown',
      now(), payouts.prepared_by, now(), ${late}
    from payouts cross join (values ('out'), ('in')) as given (direction) where payouts.id > 1`.execute(db);
  const { rows: sums } = await sql<{
    open: number;
    late: number;
  }>`select count(*) filter (where direction = 'out' or told_at is not null)::integer as open,
    count(told_at)::integer as late from transfers`.execute(db);
  const { onItsWay } = (await succeed(officer.caller.get('/payouts/board'))).body;
  const lines: { readonly isLate: boolean }[] = onItsWay.rows;
  expect([lines.length, onItsWay.count]).toEqual([50, sums[0]?.open]);
  expect(sums[0]?.late).toBeGreaterThan(50);
  expect(lines.every(({ isLate }) => isLate)).toBe(true);
  expect(onItsWay.totals).toEqual([{ currency: 'UGX', amount: 111 * 801_000 }]);
});
