import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { buildPerson, TEST_PASSWORD } from '#testing/builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import {
  earnReset,
  enterPin,
  enterResetCode,
  logIn,
  newestCode,
  newPhone,
  register,
  requestReset,
  signUp,
} from './accounts.harness.ts';
import { sweepAccounts } from './sweep.service.ts';

const app = appOfFile();

const tables = ['code_attempts', 'code_handles', 'reset_grants', 'code_budgets', 'login_throttles', 'devices'] as const;

async function counts(): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of tables) {
    const { rows } = await app.platform.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow();
    found[table] = rows;
  }
  return found;
}

describe('the sweep', () => {
  it('removes nothing that a rule still needs', async () => {
    const pending = newPhone();
    const signUpTag = (await register(app, pending)).body.userTag;
    const { username } = await buildPerson(app);
    await logIn(app.visitor(), username, TEST_PASSWORD);
    await logIn(app.visitor(), newPhone(), 'Not-the-password-1');
    await earnReset(app, username);
    const before = await counts();
    await sweepAccounts(app.platform);
    expect(await counts()).toEqual(before);
    expect(Object.values(before)).not.toContain(0);
    // A sign-up can be continued days later.
    app.clock.advance(5 * DAY_SECONDS);
    await sweepAccounts(app.platform);
    expect((await app.visitor().post('/users/resend_pin', { userTag: signUpTag })).status).toBe(200);
    expect((await enterPin(app, signUpTag, await newestCode(app, pending))).status).toBe(200);
  });

  it('keeps a block until it ends', async () => {
    const phone = await signUp(app);
    const reset = await requestReset(app, phone);
    for (let guess = 0; guess < 10; guess += 1) await enterResetCode(app, reset.body.data.tag, '00000');
    app.clock.advance(DAY_SECONDS - 1);
    await sweepAccounts(app.platform);
    const again = await requestReset(app, phone);
    expect((await enterResetCode(app, again.body.data.tag, '00000')).body.code).toBe('CODE_BLOCKED');
  });

  it('removes everything when its time has passed', async () => {
    await register(app, newPhone());
    app.clock.advance(8 * DAY_SECONDS);
    await sweepAccounts(app.platform);
    expect(await counts()).toEqual({
      code_attempts: 0,
      code_handles: 0,
      reset_grants: 0,
      code_budgets: 0,
      login_throttles: 0,
      devices: 1,
    });
    app.clock.advance(180 * DAY_SECONDS);
    await sweepAccounts(app.platform);
    expect((await counts()).devices).toBe(0);
  });

  it('removes sign-ups that nobody confirmed for 30 days, and logs that; it removes nobody else', async () => {
    const { db } = app.platform;
    const old = newPhone();
    await register(app, old);
    const others = [await buildPerson(app, { status: 'Verified' }), await buildPerson(app, { status: 'Deactivated' })];
    const { tag } = await db.selectFrom('persons').where('username', '=', old).select('tag').executeTakeFirstOrThrow();
    app.clock.advance(30 * DAY_SECONDS - 1);
    const young = newPhone();
    await register(app, young);
    await sweepAccounts(app.platform);
    const known = async (): Promise<string[]> => {
      const usernames = [old, young, ...others.map(({ username }) => username)];
      const rows = await db.selectFrom('persons').where('username', 'in', usernames).select('username').execute();
      return rows.map(({ username }) => username).sort();
    };
    const kept = [young, ...others.map(({ username }) => username)].sort();
    expect(await known()).toEqual([old, ...kept].sort());
    app.clock.advance(1);
    await sweepAccounts(app.platform);
    expect(await known()).toEqual(kept);
    const events = await db
      .selectFrom('audit_events')
      .where('subject_tag', '=', tag)
      .select(['action', 'actor_tag', 'at'])
      .orderBy('id')
      .execute();
    expect(events.at(-1)).toEqual({ action: 'account.removed', actor_tag: null, at: app.clock.now() });
    // The number may sign up again, as a new person.
    expect((await register(app, old)).status).toBe(200);
  });

  it('removes a few of them at a time, within the time of one sweep', async () => {
    const { db } = app.platform;
    const since = new Date(app.clock.now().getTime() - 31 * DAY_SECONDS * 1000);
    await sql`insert into persons (username, username_kind, password_hash, status, phone, created_at)
      select phone, 'phone', 'none', 'Pending', phone, ${since}
      from (select '075' || lpad(n::text, 7, '0') as phone from generate_series(1, 4100) as n) as made`.execute(db);
    const left = async (): Promise<number> => {
      const forgotten = db.selectFrom('persons').where('status', '=', 'Pending').where('created_at', '<=', since);
      return (await forgotten.select('id').execute()).length;
    };
    const removedAtOnce = async (): Promise<number> => {
      const { rows } = await sql<{ events: number }>`select count(*)::integer as events from audit_events
        where action = 'account.removed' group by xmin order by 1 desc limit 1`.execute(db);
      return rows[0]?.events ?? 0;
    };
    await sweepAccounts(app.platform);
    expect([await left(), await removedAtOnce()]).toEqual([100, 200]);
    await sweepAccounts(app.platform);
    expect(await left()).toBe(0);
  });

  it('counts the 30 days from the last sign-up', async () => {
    const phone = newPhone();
    await register(app, phone);
    app.clock.advance(30 * DAY_SECONDS - 60);
    const { body } = await register(app, phone);
    app.clock.advance(60);
    await sweepAccounts(app.platform);
    expect((await enterPin(app, body.userTag, await newestCode(app, phone))).status).toBe(200);
  });

  it('removes the counters of addresses a day after their hour', async () => {
    const now = app.clock.now().getTime();
    const rows = [
      { key: 'old', points: 1, expire: now - DAY_SECONDS * 1000 },
      { key: 'young', points: 1, expire: now - DAY_SECONDS * 1000 + 1 },
    ];
    await app.platform.db.insertInto('address_limits').values(rows).execute();
    await sweepAccounts(app.platform);
    const kept = await app.platform.db
      .selectFrom('address_limits')
      .where('key', 'in', ['old', 'young'])
      .select('key')
      .execute();
    expect(kept).toEqual([{ key: 'young' }]);
  });
});
