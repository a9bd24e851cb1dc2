import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#contract/time/durations.ts';
import { type PayableCase, succeed } from '#testing/case-builders.ts';
import { payoutOf, prepare, release } from '#testing/payout-builders.ts';
import { codeOf } from '#testing/test-app.ts';
import {
  bySystem,
  differencesWith,
  follow,
  followDue,
  followToTheEnd,
  railOfTest,
  releaseToRail,
  transfersOf,
} from './transfers.harness.ts';

/** Refusals that are not final: a lender that believed one would pay twice. */

const { app, provider } = railOfTest();

/** Two officers pay again every payout that is shown as failed; then every transfer is followed to its end. */
async function payAgain(built: PayableCase): Promise<void> {
  const again = await prepare(built.officer, built.tag);
  if (again.status === 200) await succeed(release(built.payer, built.tag, bySystem));
  await followToTheEnd(app);
  for (const reference of provider.book.keys()) await provider.ask(reference);
}

async function expectPaidOnce(): Promise<void> {
  expect(provider.paid.size).toBe(1);
  expect(await differencesWith(app, provider)).toEqual([]);
}

const HOUR_SECONDS = 3_600;

describe('a server that is paused', () => {
  it('ends nothing that another server has sent since, if it records a refusal late', async () => {
    const built = await releaseToRail(app);
    const tag = (await transfersOf(app, built))[0]?.tag ?? '';
    const { send } = provider;
    const [reached, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    provider.send = async () => {
      provider.send = send;
      reached.resolve();
      await late.promise;
      return { state: 'failed', refusal: 'insufficientFloat', said: 'no float' };
    };
    const first = follow(app.platform, tag);
    await reached.promise;
    app.clock.advance(HOUR_SECONDS);
    provider.fate = 'waiting';
    await follow(app.platform, tag);
    late.resolve();
    await first;
    expect((await transfersOf(app, built))[0]).toMatchObject({ state: 'sent', known_at: null });
    provider.fate = 'paid';
    await payAgain(built);
    await expectPaidOnce();
  });

  it('sends nothing once it is another server’s turn', async () => {
    const built = await releaseToRail(app);
    const tag = (await transfersOf(app, built))[0]?.tag ?? '';
    provider.sending = ['dropped'];
    await follow(app.platform, tag);
    const { ask } = provider;
    const [reached, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    provider.ask = async () => {
      provider.ask = ask;
      reached.resolve();
      await late.promise;
      return { state: 'notFound', said: 'RESOURCE_NOT_FOUND' };
    };
    app.clock.advance(HOUR_SECONDS);
    const second = follow(app.platform, tag);
    await reached.promise;
    app.clock.advance(HOUR_SECONDS);
    provider.sending = ['insufficientFloat'];
    await follow(app.platform, tag);
    expect((await transfersOf(app, built))[0]?.state).toBe('failed');
    const paying = payAgain(built);
    await paying;
    late.resolve();
    await second;
    for (const reference of provider.book.keys()) await provider.ask(reference);
    await expectPaidOnce();
  });
});

describe('a provider that for three minutes does not find what it has taken', () => {
  it('is sent the same order again only once it would know the last one', async () => {
    provider.findsWithinMs = 3 * MINUTE_MS;
    provider.sending = Array.from({ length: 9 }, () => 'dropped' as const);
    const built = await releaseToRail(app);
    const began = app.clock.now().getTime();
    const sent: number[] = [];
    const exchange = async () => {
      const sends = () => provider.calls.filter((call) => call.startsWith('send')).length;
      const before = sends();
      await followDue(app);
      const seconds = (app.clock.now().getTime() - began) / 1000;
      if (sends() > before) sent.push(seconds);
      const [transfer] = await transfersOf(app, built);
      return Number(transfer?.next_ask_at) / 1000 - began / 1000 - seconds;
    };
    for (let asked = 0; asked < 6; asked += 1) app.clock.advance(await exchange());
    await exchange();
    app.clock.advance(60);
    await app.platform.db.updateTable('transfers').set({ next_ask_at: app.clock.now() }).execute();
    await exchange();
    expect([provider.calls.length, sent]).toEqual([10, [0, 225, 525]]);
  });

  it('has refused nothing if it refuses the repeat meanwhile', async () => {
    const built = await releaseToRail(app);
    // The first one used up the float.
    provider.sending = ['lost', 'insufficientFloat', 'insufficientFloat'];
    provider.asking = ['notFound', 'notFound', 'notFound', 'notFound'];
    await followDue(app);
    app.clock.advance(5);
    await followDue(app);
    expect((await transfersOf(app, built))[0]).toMatchObject({ state: 'unknown', known_at: null });
    app.clock.advance(60);
    await followDue(app);
    await payAgain(built);
    await expectPaidOnce();
  });
});

describe('a provider that refuses an order and has taken it', () => {
  it.each(['insufficientFloat', 'misconfigured', 'walletClosed'] as const)(
    'is asked before the refusal counts: %s',
    async (refused) => {
      provider.sending = [{ refused, how: 'untrue' }];
      provider.fate = 'waiting';
      const built = await releaseToRail(app);
      await followDue(app);
      expect((await transfersOf(app, built))[0]).toMatchObject({ state: 'sent', refusal: null, known_at: null });
      provider.fate = 'paid';
      await payAgain(built);
      await expectPaidOnce();
    },
  );

  it('is believed by nobody while its status call does not find the order yet', async () => {
    provider.sending = [{ refused: 'insufficientFloat', how: 'untrue' }];
    provider.asking = ['notFound', 'lost', 'notFound', 'throws'];
    const built = await releaseToRail(app);
    for (const seconds of [0, 5, 10, 30]) {
      app.clock.advance(seconds);
      await followDue(app);
      expect((await transfersOf(app, built))[0]).toMatchObject({ state: 'unknown', known_at: null });
    }
    await payAgain(built);
    await expectPaidOnce();
    expect((await transfersOf(app, built))[0]).toMatchObject({ state: 'succeeded', refusal: null, refused_at: null });
  });

  it('is not sent the order again, and its refusal counts once it would find the order', async () => {
    provider.sending = [{ refused: 'misconfigured', how: 'unbooked' }];
    const built = await releaseToRail(app);
    const states: (string | undefined)[] = [];
    for (const seconds of [0, 5, 10, 30, 60, 60, 60]) {
      app.clock.advance(seconds);
      const due = app.platform.db.updateTable('transfers').set({ next_ask_at: app.clock.now() });
      await due.where('known_at', 'is', null).execute();
      await followDue(app);
      states.push((await transfersOf(app, built))[0]?.state);
    }
    expect(states).toEqual([...Array<string>(6).fill('unknown'), 'failed']);
    expect(provider.calls.filter((call) => call.startsWith('send'))).toHaveLength(1);
    expect((await transfersOf(app, built))[0]).toMatchObject({ refusal: 'misconfigured', said: 'misconfigured' });
    await payAgain(built);
    await expectPaidOnce();
  });

  it('says so to officers meanwhile, and nothing to the client', async () => {
    provider.sending = [{ refused: 'walletClosed', how: 'unbooked' }];
    const built = await releaseToRail(app);
    await followDue(app);
    const { transfer } = await payoutOf(built.payer, built.tag);
    expect(transfer).toMatchObject({ state: 'unknown', refusal: 'walletClosed', said: 'walletClosed' });
    expect((await payoutOf(built.client, built.tag)).transfer).toMatchObject({ state: 'unknown', refusal: null });
    expect(codeOf(await prepare(built.officer, built.tag))).toBe('PAYOUT_ON_ITS_WAY');
  });
});
