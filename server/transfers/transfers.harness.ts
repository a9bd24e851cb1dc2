import { sql } from 'kysely';
import { afterEach, beforeEach, expect } from 'vitest';
import { verifyRecord } from '#server/audit/record.service.ts';
import { payoutOutcome } from '#server/payouts/payout-outcomes.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Direction } from '#server/rail-port/rail.ts';
import type { OpenRail } from '#server/rails/open-rails.ts';
import { requestOutcome } from '#server/requests-to-pay/request-outcomes.service.ts';
import { buildApprovedCase, type PayableCase, succeed } from '#testing/case-builders.ts';
import { prepare, release } from '#testing/payout-builders.ts';
import { railsOf, ScriptedProvider, scriptedKind } from '#testing/scripted-rail.ts';
import { type Answer, appOfTest, createTestApp, type TestApp } from '#testing/test-app.ts';
import { followTransfer } from './following.service.ts';

/**
 * Payouts and requests to pay over a scripted rail: released over HTTP, followed as jobs do it, and compared with the
 * provider's book.
 */

export const HOST = 'kasente.test';

/** A server with a rail to the given provider, and its own settings. */
export function createRailApp(
  provider: ScriptedProvider,
  payout?: Direction,
  settings: Readonly<Record<string, string>> = {},
): Promise<TestApp> {
  return createTestApp(railSettings(settings), { rails: railsOf(scriptedKind(provider, payout)) });
}

const railSettings = (more: Readonly<Record<string, string>>) => ({
  SESSION_IDLE_MINUTES: '720',
  RAIL_TIMEOUT_SECONDS: '1',
  PUBLIC_URL: `http://${HOST}`,
  ...more,
});

interface RailWorld {
  readonly app: TestApp;
  readonly provider: ScriptedProvider;
}

/** A server with a rail to a provider, both created again for each test of a file. */
export function railOfTest(settings: Readonly<Record<string, string>> = {}): RailWorld {
  const provider = eachTest(() => new ScriptedProvider());
  const rails = eachTest(() => railsOf(scriptedKind(provider)));
  return { app: appOfTest(railSettings(settings), { rails }), provider };
}

/** An object that is created again for each test, and used under one name. */
function eachTest<T extends object>(make: () => T): T {
  let current = make();
  beforeEach(() => {
    current = make();
  });
  return new Proxy(current, {
    get: (_, key) => Reflect.get(current, key),
    set: (_, key, value) => Reflect.set(current, key, value),
  });
}

/**
 * Like {@link railOfTest}; after each test it checks that the record has no fault and that our books agree with the
 * provider's.
 */
export function checkedRailOfTest(settings: Readonly<Record<string, string>> = {}): RailWorld {
  const { app, provider } = railOfTest(settings);
  afterEach(async () => {
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
    expect(await differencesWith(app, provider)).toEqual([]);
  });
  return { app, provider };
}

/** A release over the rail has no reference or date, unlike a payment by hand. */
export const bySystem = { reference: undefined, date: undefined };

/** Prepares and releases the payout of a case, for a provider to send. */
export async function releaseToRail(app: TestApp, given?: PayableCase): Promise<PayableCase> {
  const built = given ?? (await buildApprovedCase(app));
  await succeed(prepare(built.officer, built.tag));
  await succeed(release(built.payer, built.tag, bySystem));
  return built;
}

/** The transfers of a case, oldest first. */
export function transfersOf(app: TestApp, { id }: Pick<PayableCase, 'id'>) {
  return app.platform.db.selectFrom('transfers').where('invoice_id', '=', id).selectAll().orderBy('id').execute();
}

/** Runs one exchange, as its job would. */
export function follow(platform: Platform, tag: string): Promise<void> {
  return followTransfer(platform, { out: payoutOutcome, in: requestOutcome }, tag);
}

/** Runs every due exchange, as the jobs would. */
export async function followDue(app: TestApp): Promise<void> {
  const due = await app.platform.db
    .selectFrom('transfers')
    .where('next_ask_at', '<=', app.clock.now())
    .select('tag')
    .orderBy('id')
    .execute();
  for (const { tag } of due) await follow(app.platform, tag);
}

/** A platform that stops at its next call to the provider, before or after making it, and writes nothing afterwards. */
export function stoppingAt(platform: Platform, isMade: boolean): Platform {
  const { rails, db } = platform;
  let hasStopped = false;
  const stop = async (call: () => Promise<unknown>): Promise<never> => {
    if (isMade) await call();
    hasStopped = true;
    throw new Error('the server stops');
  };
  const stopping = ({ send, ask }: Direction): Direction => ({
    send: (...order) => stop(() => send(...order)),
    ask: (...asked) => stop(() => ask(...asked)),
  });
  const stoppingRail = (rail: OpenRail): OpenRail => ({
    ...rail,
    payout: stopping(rail.payout),
    collection: stopping(rail.collection),
  });
  const inTransaction: typeof db.inTransaction = async (...work) => {
    if (hasStopped) throw new Error('the server has stopped');
    return db.inTransaction(...work);
  };
  return {
    ...platform,
    rails: {
      ...rails,
      find: (id) => {
        const rail = rails.find(id);
        return rail && stoppingRail(rail);
      },
    },
    db: Object.assign(Object.create(db), { inTransaction }),
  };
}

/** Advances the clock until every transfer has ended, at most by this number of hours. */
export async function followToTheEnd(app: TestApp, hours = 12): Promise<void> {
  for (let minute = 0; minute < hours * 60; minute += 1) {
    await followDue(app);
    const open = await app.platform.db
      .selectFrom('transfers')
      .where('next_ask_at', 'is not', null)
      .select('id')
      .execute();
    if (open.length === 0) return;
    app.clock.advance(60);
  }
}

/**
 * Differences between our books and the provider's: each of its payments must be one transfer of ours with one journal
 * entry of the same amount, and no other transfer may have an entry.
 */
export async function differencesWith(
  app: TestApp,
  provider: { readonly paid: ReadonlyMap<string, number> },
): Promise<string[]> {
  const { rows } = await sql<{ reference: string; state: string; amount: number; entries: number; entered: number }>`
    select transfers.reference, transfers.state, transfers.amount, count(entry.id)::integer as entries,
      coalesce(sum(entry.amount), 0) as entered
    from transfers left join payouts on payouts.id = transfers.payout_id
      left join journal_entries as entry on entry.tag = transfers.entry_tag
        and (entry.tag = payouts.entry_tag or transfers.direction = 'in') and entry.reference = transfers.provider_reference
    group by transfers.id order by transfers.id`.execute(app.platform.db);
  const found: string[] = [];
  for (const { reference, state, amount, entries, entered } of rows) {
    const paid = provider.paid.get(reference) ?? 0;
    const isPaid = state === 'succeeded' || state === 'reconciled';
    if (paid !== (isPaid ? amount : 0)) found.push(`${reference}: ${state} here, ${paid} paid there`);
    if (entries !== (isPaid ? 1 : 0) || entered !== (isPaid ? amount : 0))
      found.push(`${reference}: ${state}, with ${entries} entries of ${entered}`);
  }
  const known = new Set(rows.map(({ reference }) => reference));
  for (const reference of provider.paid.keys()) if (!known.has(reference)) found.push(`${reference}: paid, not ours`);
  const { rows: journal } = await sql<{ loose: number }>`select count(*)::integer as loose from journal_entries as entry
    where kind in ('disbursement', 'surplus') and reverses is null
      and not exists (select from transfers where entry_tag = entry.tag)`.execute(app.platform.db);
  if (journal[0]?.loose !== 0) found.push(`${journal[0]?.loose} payments without a transfer`);
  return found;
}

/** Sends a provider's callback. */
export function callBack(
  app: TestApp,
  body: object | string,
  { rail = 'scripted', method = 'PUT', host = HOST, type = 'application/json' } = {},
): Promise<Answer> {
  return app.visitor().call({
    method: method === 'PUT' ? 'PUT' : 'POST',
    url: `/rails/${rail}/callback`,
    payload: typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      ...(type === '' ? {} : { 'content-type': type }),
      host,
      'sec-fetch-site': '',
      'sec-fetch-mode': '',
      'sec-fetch-dest': '',
    },
  });
}
