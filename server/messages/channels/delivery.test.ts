import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queueMessage } from '#server/messages/messages.service.ts';
import { createLog } from '#server/observability/logging.ts';
import { createSealer } from '#server/secrets/sealer.ts';
import { appOfTest } from '#testing/test-app.ts';
import { deliverMessage } from './delivery.ts';
import { loginRefused, type Outcome, type Provider, refused, unknown } from './provider.ts';

/** Two workers that both believe a message is theirs: one was presumed dead, but was only asleep. */

const DONE = { done: true };

describe('deliverMessage', () => {
  const test = appOfTest();
  let id: number;

  beforeEach(async () => {
    await queueMessage(test.platform, test.platform.db, {
      channel: 'email',
      to: 'amina@example.com',
      subject: 'Your account is active',
      body: 'Log in.',
    });
    ({ id } = await row());
  });

  const row = () => test.platform.db.selectFrom('messages').selectAll().executeTakeFirstOrThrow();

  /** A provider that can be paused before and after the hand-over, and counts the messages that it got. */
  function slowProvider(outcome: Outcome) {
    const gates = { before: Promise.withResolvers<void>(), after: Promise.withResolvers<void>() };
    const provider = {
      got: 0,
      send: vi.fn<Provider['send']>(async (_letter, handOver) => {
        await gates.before.promise;
        if (!(await handOver())) return refused('not ours');
        provider.got += 1;
        await gates.after.promise;
        return outcome;
      }),
    };
    return { provider, gates };
  }

  function quickProvider(outcome: Outcome = { result: 'accepted' }) {
    const { provider, gates } = slowProvider(outcome);
    gates.before.resolve();
    gates.after.resolve();
    return provider;
  }

  it('sends nothing after another worker took the message over', async () => {
    const sleeper = slowProvider({ result: 'accepted' });
    const sleeping = deliverMessage(test.platform, sleeper.provider, id);
    await vi.waitFor(() => expect(sleeper.provider.send).toHaveBeenCalled(), { timeout: 100_000 });
    const other = quickProvider();
    expect(await deliverMessage(test.platform, other, id)).toEqual(DONE);
    sleeper.gates.before.resolve();
    expect(await sleeping).toEqual(DONE);
    expect([sleeper.provider.got, other.got]).toEqual([0, 1]);
    expect(await row()).toMatchObject({ state: 'sent', attempts: 2 });
  });

  it('is not taken over after the hand-over, and a late answer still counts', async () => {
    const sleeper = slowProvider({ result: 'accepted' });
    sleeper.gates.before.resolve();
    const sleeping = deliverMessage(test.platform, sleeper.provider, id);
    await vi.waitFor(() => expect(sleeper.provider.got).toBe(1), { timeout: 100_000 });
    const other = quickProvider();
    expect(await deliverMessage(test.platform, other, id)).toEqual(DONE);
    expect(other.send).not.toHaveBeenCalled();
    expect(await row()).toMatchObject({ state: 'failed' });
    sleeper.gates.after.resolve();
    await sleeping;
    expect(await row()).toMatchObject({ state: 'sent', sent_at: test.clock.now(), last_error: null });
  });

  it('leaves a message for another attempt only after a definite refusal', async () => {
    expect(await deliverMessage(test.platform, quickProvider(refused('try later')), id)).toEqual({
      done: false,
      reason: 'try later',
    });
    expect(await row()).toMatchObject({ state: 'queued', handed_over_at: null, last_error: 'try later' });
    expect(await deliverMessage(test.platform, quickProvider(unknown('silence')), id)).toEqual(DONE);
    expect(await row()).toMatchObject({ state: 'failed', last_error: 'silence: it may have arrived' });
    const third = quickProvider();
    expect(await deliverMessage(test.platform, third, id)).toEqual(DONE);
    expect(third.send).not.toHaveBeenCalled();
  });

  it('writes an error line where the provider refuses the login, and an info line for any other refusal', async () => {
    const lines: string[] = [];
    const platform = { ...test.platform, log: createLog('info', { write: (line) => lines.push(line) }) };
    await deliverMessage(platform, quickProvider(refused('try later')), id);
    await deliverMessage(platform, quickProvider(loginRefused('Invalid login: 535 5.7.8')), id);
    expect(lines.map((line) => JSON.parse(line)).map(({ level, reason }) => [level, reason])).toEqual([
      [30, 'try later'],
      [50, 'Invalid login: 535 5.7.8'],
    ]);
  });

  it('leaves a message that it cannot read to a server with the right secret', async () => {
    const provider = quickProvider();
    const mistyped = { ...test.platform, sealer: createSealer('a mistyped secret, for tests alone') };
    const reason = 'it was sealed with another secret';
    expect(await deliverMessage(mistyped, provider, id)).toEqual({ done: false, reason });
    expect(await row()).toMatchObject({ state: 'queued', last_error: reason });
    expect(provider.send).not.toHaveBeenCalled();
    expect(await deliverMessage(test.platform, provider, id)).toEqual(DONE);
    expect(await row()).toMatchObject({ state: 'sent', attempts: 2 });
  });
});
