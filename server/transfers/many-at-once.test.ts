import { expect, it, onTestFinished } from 'vitest';
import { ScriptedProvider } from '#server/testing/scripted-rail.ts';
import { createRailApp, differencesWith, follow, followDue, releaseToRail } from './transfers.harness.ts';

it('what was just released goes before what is asked about again', async () => {
  const provider = new ScriptedProvider();
  provider.fate = 'waiting';
  const app = await createRailApp(provider);
  onTestFinished(() => app.close());
  await releaseToRail(app);
  for (let exchange = 0; exchange < 3; exchange += 1) {
    await followDue(app);
    app.clock.advance(60);
  }
  const { rows } = await app.platform.pool.query<{ priority: number }>(
    `select priority from pgboss.job where name = 'transfer' order by priority desc`,
  );
  // An exchange adds one job as it begins and one as it ends.
  expect(rows.map(({ priority }) => priority)).toEqual([2, 1, 1, 0, 0, 0, 0]);
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
