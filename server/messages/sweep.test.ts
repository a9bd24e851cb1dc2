import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import type { Platform } from '#server/platform/platform.ts';
import { appOfTest } from '#testing/test-app.ts';
import { queueMessage, sweepMessages } from './messages.service.ts';

describe('sweepMessages', () => {
  const test = appOfTest();
  let production: Platform;
  beforeEach(async () => {
    production = { ...test.platform, config: { ...test.platform.config, production: true } };
  });

  const queue = (expiresAt?: Date) =>
    queueMessage(test.platform, test.platform.db, {
      channel: 'sms',
      to: '0700000001',
      subject: 'Your Kasente PIN',
      body: 'Kasente: your PIN is 48213.',
      ...(expiresAt === undefined ? {} : { expiresAt }),
    });
  const rows = () => test.platform.db.selectFrom('messages').selectAll().orderBy('id').execute();
  const states = async () => (await rows()).map(({ state, body }) => [state, body === null ? 'erased' : 'kept']);
  const inFiveMinutes = () => new Date(test.clock.now().getTime() + 300_000);
  const set = (values: {
    state: 'sent' | 'failed' | 'sending';
    sent_at?: Date;
    claim?: string;
    handed_over_at?: Date;
  }) => test.platform.db.updateTable('messages').set(values).execute();

  it('marks dead codes, and erases them in production alone', async () => {
    await queue(inFiveMinutes());
    test.clock.advance(299);
    await queue(inFiveMinutes());
    await sweepMessages(production);
    expect(await states()).toEqual([
      ['queued', 'kept'],
      ['queued', 'kept'],
    ]);
    test.clock.advance(1);
    await sweepMessages(test.platform);
    expect(await states()).toEqual([
      ['expired', 'kept'],
      ['queued', 'kept'],
    ]);
    await sweepMessages(production);
    expect(await states()).toEqual([
      ['expired', 'erased'],
      ['queued', 'kept'],
    ]);
  });

  it('gives up what found no provider for 30 days, and erases it', async () => {
    await queue();
    test.clock.advance(30 * DAY_SECONDS);
    await sweepMessages(production);
    expect(await states()).toEqual([['queued', 'kept']]);
    test.clock.advance(1);
    await sweepMessages(production);
    expect(await states()).toEqual([['failed', 'erased']]);
    expect((await rows())[0]?.last_error).toBe('nobody could send it');
  });

  it('gives up messages that were handed over a day ago without a reply', async () => {
    await queue();
    const claim = '0d9a7c1e-5c0e-4f0e-9a57-3f1f6f1f2a11';
    await set({ state: 'sending', claim, handed_over_at: test.clock.now() });
    test.clock.advance(DAY_SECONDS);
    await sweepMessages(production);
    expect(await states()).toEqual([['sending', 'kept']]);
    test.clock.advance(1);
    await sweepMessages(production);
    expect(await states()).toEqual([['failed', 'kept']]);
  });

  it('keeps a failed message for the operator until its code is dead', async () => {
    await queue(inFiveMinutes());
    await set({ state: 'failed' });
    await sweepMessages(production);
    expect(await states()).toEqual([['failed', 'kept']]);
    test.clock.advance(300);
    await sweepMessages(production);
    expect(await states()).toEqual([['failed', 'erased']]);
  });

  it('deletes what was sent 90 days ago, in production alone', async () => {
    await queue();
    await set({ state: 'sent', sent_at: test.clock.now() });
    test.clock.advance(90 * DAY_SECONDS + 1);
    await sweepMessages(test.platform);
    expect(await rows()).toHaveLength(1);
    await sweepMessages(production);
    expect(await rows()).toHaveLength(0);
  });
});
