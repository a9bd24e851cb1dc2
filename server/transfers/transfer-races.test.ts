import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { refusals } from '#contract/transfers/refusals.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { statusOf } from '#testing/case-builders.ts';
import { unbooked, untrue } from '#testing/scripted-rail.ts';
import { until } from '#testing/until.ts';
import {
  createRailApp,
  differencesWith,
  follow,
  followDue,
  followToTheEnd,
  railOfTest,
  releaseToRail,
  stoppingAt,
  transfersOf,
} from './transfers.harness.ts';
import { transferQueue, transferWorker } from './transfers.jobs.ts';

/** No payout is made twice or lost, even with servers that stop anywhere, two at once, and answers in any order. */

const { app, provider } = railOfTest();

describe('a server that stops', () => {
  it.each([
    ['before it sends', { at: 'send', isMade: false }],
    ['after it sent', { at: 'send', isMade: true }],
    ['before it asks', { at: 'ask', isMade: false }],
    ['after it asked', { at: 'ask', isMade: true }],
  ] as const)('%s leaves a payout that another server asks about first, and pays once', async (_, { at, isMade }) => {
    const built = await releaseToRail(app);
    const [transfer] = await transfersOf(app, built);
    const tag = transfer?.tag ?? '';
    if (at === 'ask') {
      await follow(app.platform, tag);
      app.clock.advance(10);
    }
    await follow(stoppingAt(app.platform, isMade), tag).catch(() => undefined);
    expect((await transfersOf(app, built))[0]).toMatchObject({ state: 'sent', known_at: null });
    const before = provider.calls.length;
    app.clock.advance(60);
    await followDue(app);
    expect(provider.calls[before]).toBe(`ask ${transfer?.reference}`);
    await followToTheEnd(app);
    expect(await statusOf(app, built)).toBe('Disbursed');
    expect(await differencesWith(app, provider)).toEqual([]);
  });

  it('leaves between the release and the sending a job, which another server does', async () => {
    const built = await releaseToRail(app);
    provider.sending = ['paid'];
    const running = await startJobs(app.platform, {
      queues: [transferQueue],
      workers: [transferWorker((tag) => follow(app.platform, tag))],
      sweeps: {},
    });
    onTestFinished(() => running.stop());
    await until(async () => (await statusOf(app, built)) === 'Disbursed');
    expect(await differencesWith(app, provider)).toEqual([]);
  });
});

describe('two servers at once', () => {
  it('send a payout once and record it once', async () => {
    const built = await releaseToRail(app);
    const [transfer] = await transfersOf(app, built);
    const tag = transfer?.tag ?? '';
    await Promise.all(Array.from({ length: 8 }, () => follow(app.platform, tag)));
    expect(provider.calls).toHaveLength(1);
    app.clock.advance(60);
    await Promise.all(Array.from({ length: 8 }, () => follow(app.platform, tag)));
    expect(await statusOf(app, built)).toBe('Disbursed');
    expect(await differencesWith(app, provider)).toEqual([]);
  });

  it('record the end once if both learn it', async () => {
    const built = await releaseToRail(app);
    await followDue(app);
    const [transfer] = await transfersOf(app, built);
    const tag = transfer?.tag ?? '';
    const due = () =>
      app.platform.db.updateTable('transfers').set({ next_ask_at: app.clock.now() }).where('tag', '=', tag).execute();
    await due();
    const { ask } = provider;
    // The second server claims the transfer while the first is asking.
    provider.ask = async (reference) => {
      provider.ask = ask;
      await due();
      await follow(app.platform, tag);
      return ask(reference);
    };
    await follow(app.platform, tag);
    expect(await statusOf(app, built)).toBe('Disbursed');
    expect(await differencesWith(app, provider)).toEqual([]);
  });

  it('do fifty releases, and a failure among them, each once', async () => {
    provider.sending = ['insufficientFloat'];
    const cases = [];
    for (let one = 0; one < 50; one += 1) cases.push(await releaseToRail(app));
    const due = await app.platform.db.selectFrom('transfers').select('tag').orderBy('id').execute();
    await Promise.all([...due, ...due].map(({ tag }) => follow(app.platform, tag)));
    await followToTheEnd(app);
    const states = await Promise.all(cases.map((built) => statusOf(app, built)));
    expect([states.filter((state) => state === 'Disbursed').length, provider.paid.size]).toEqual([49, 49]);
    expect(await differencesWith(app, provider)).toEqual([]);
  }, 120_000);
});

describe('however answers come', () => {
  const sending = fc.constantFrom(
    ...(['taken', 'paid', 'lost', 'dropped', 'throws', 'insufficientFloat', 'rejected'] as const),
    ...([unbooked, untrue] as const),
  );
  const asking = fc.constantFrom('book', 'pending', 'lost', 'throws');
  const fate = fc.oneof(fc.constant('paid' as const), fc.constantFrom(...refusals));

  it('each payment of the provider’s is one entry of ours, and each failure none', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(sending, { maxLength: 4 }),
        fc.array(asking, { maxLength: 6 }),
        fate,
        async (sends, asks, end) => {
          const built = await releaseToRail(app);
          Object.assign(provider, { sending: [...sends], asking: [...asks], fate: end });
          await followToTheEnd(app, 24);
          const [transfer] = await transfersOf(app, built);
          expect(['succeeded', 'failed']).toContain(transfer?.state);
          expect(await statusOf(app, built)).toBe(transfer?.state === 'succeeded' ? 'Disbursed' : 'Approved');
          expect(await differencesWith(app, provider)).toEqual([]);
        },
      ),
      { numRuns: 25 },
    );
  }, 300_000);
});

describe('a planted client that makes a new reference for a repeat', () => {
  it('is found: the provider paid what is not ours', async () => {
    const first = new Set<string>();
    const planted = await createRailApp(provider, {
      send: (order, signal) => {
        const isRepeat = first.has(order.reference);
        first.add(order.reference);
        return provider.send(isRepeat ? { ...order, reference: randomUUID() } : order, signal);
      },
      ask: (reference) => provider.ask(reference),
    });
    try {
      provider.sending = ['paid', 'paid'];
      provider.asking = ['notFound'];
      const send = provider.send;
      provider.send = async (...order) => {
        provider.send = send;
        await send(...order);
        return { state: 'unknown', said: 'No answer' };
      };
      await releaseToRail(planted);
      await followToTheEnd(planted);
      expect(await differencesWith(planted, provider)).toEqual([expect.stringContaining('paid, not ours')]);
    } finally {
      await planted.close();
    }
  });
});
