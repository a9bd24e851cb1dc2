import { afterEach, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time/durations.ts';
import { bySystem, followToTheEnd } from '#server/transfers/transfers.harness.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { buildApprovedCase, type CaseGiven, type PayableCase, succeed } from '#testing/case-builders.ts';
import { payoutOf, prepare, release } from '#testing/payout-builders.ts';
import { railsOf, ScriptedProvider, scriptedKind } from '#testing/scripted-rail.ts';
import { type Answer, createTestApp, type TestApp } from '#testing/test-app.ts';

/** A mobile money wallet takes no more than its provider allows; each case here pays out UGX 801,000. */

let app: TestApp;
afterEach(() => app.close());

async function start(limits: Record<string, string>, provider = new ScriptedProvider()): Promise<ScriptedProvider> {
  app = await createTestApp({ SESSION_IDLE_MINUTES: '720', ...limits }, { rails: railsOf(scriptedKind(provider)) });
  return provider;
}

const refusalOf = ({ body }: Answer): string => `${body.code} ${body.msg}`;

async function prepared(given: CaseGiven = {}): Promise<PayableCase> {
  const built = await buildApprovedCase(app, given);
  await succeed(prepare(built.officer, built.tag));
  return built;
}

it('a payout above a wallet’s day is prepared for a bank account alone, and both sides read so', async () => {
  await start({ WALLET_TRANSACTION_LIMIT: 'UGX:800999', WALLET_DAILY_LIMIT: 'UGX:800999' });
  const built = await buildApprovedCase(app);
  for (const who of [built.officer, built.client])
    expect(await payoutOf(who, built.tag)).toMatchObject({ next: { amount: 801_000 }, walletTakes: 800_999 });
  expect((await payoutOf(built.officer, built.tag)).refusals).toMatchObject([{ code: 'ABOVE_WALLET' }]);
  expect((await payoutOf(built.client, built.tag)).refusals).toEqual([]);
  expect(refusalOf(await prepare(built.officer, built.tag))).toBe(
    'ABOVE_WALLET A mobile money account does not take this much. Ask the client to choose a bank account. It takes up to UGX 800,999',
  );
  const form = { provider: 'bank', number: '9030001234567', holderName: 'Sarah Nabirye', bankName: 'Pearl Bank' };
  const added = await succeed(built.client.caller.post('/payout_accounts', { ...form, password: TEST_PASSWORD }));
  const accountTag: string = added.body.tag;
  const before = new Date(app.clock.now().getTime() - 90 * DAY_MS);
  const verified = { verified_at: before, verified_by: built.officer.person.id };
  await app.platform.db.updateTable('payout_accounts').set(verified).where('tag', '=', accountTag).execute();
  await succeed(built.client.caller.post(`/applications/${built.tag}/payout_account`, { accountTag }));
  expect(await payoutOf(built.officer, built.tag)).toMatchObject({ walletTakes: null });
  await succeed(prepare(built.officer, built.tag));
});

it('what a wallet takes exactly is paid', async () => {
  const provider = await start({ WALLET_TRANSACTION_LIMIT: 'UGX:801000', WALLET_DAILY_LIMIT: 'UGX:801000' });
  const built = await prepared();
  expect(await payoutOf(built.officer, built.tag)).toMatchObject({ walletTakes: null });
  await succeed(release(built.payer, built.tag, bySystem));
  await followToTheEnd(app);
  expect([...provider.paid.values()]).toEqual([80_100_000]);
});

it('a wallet takes what is left of its day, counted from midnight and without refused payouts', async () => {
  const provider = await start({ WALLET_TRANSACTION_LIMIT: 'UGX:1500000', WALLET_DAILY_LIMIT: 'UGX:1500000' });
  const first = await prepared();
  const second = await prepared({ client: first.client });
  await succeed(release(first.payer, first.tag, bySystem));
  const full =
    'WALLET_FULL_TODAY This account has reached its limit for today. Pay tomorrow, or ask for a bank account. It takes UGX 699,000 more today';
  expect(refusalOf(await release(second.payer, second.tag, bySystem))).toBe(full);
  const third = await buildApprovedCase(app, { client: first.client });
  expect(refusalOf(await prepare(third.officer, third.tag))).toBe(full);
  provider.fate = 'walletClosed';
  await followToTheEnd(app);
  await succeed(prepare(third.officer, third.tag));
  provider.fate = 'paid';
  await succeed(release(third.payer, third.tag, bySystem));
  expect(refusalOf(await release(second.payer, second.tag, bySystem))).toBe(full);
  const yesterday = new Date(app.clock.now().getTime() - DAY_MS);
  await app.platform.db
    .updateTable('payouts')
    .set({ released_at: yesterday, released_by: third.payer.person.id })
    .where('invoice_id', '=', third.id)
    .execute();
  await succeed(release(second.payer, second.tag, bySystem));
});

it('a payout by hand may be of any amount', async () => {
  app = await createTestApp({ WALLET_TRANSACTION_LIMIT: 'UGX:1', WALLET_DAILY_LIMIT: 'UGX:1' });
  const built = await prepared();
  expect(await payoutOf(built.officer, built.tag)).toMatchObject({ walletTakes: null });
  await succeed(release(built.payer, built.tag));
});
