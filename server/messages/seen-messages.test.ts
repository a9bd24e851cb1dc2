import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_MS } from '#contract/time/durations.ts';
import { createLog } from '#server/observability/logging.ts';
import { appOfTest } from '#testing/test-app.ts';
import { listDead } from './messages.queries.ts';
import { queueMessage, warnOfWaiting } from './messages.service.ts';

/** What an operator sees of messages that were not delivered. */

const lines: string[] = [];
const app = appOfTest(
  // A server for each channel is configured, but nothing runs the jobs here.
  { SMTP_URL: 'smtp://localhost:1', SMS_URL: 'http://localhost:1', SMS_USERNAME: 'kasente', SMS_API_KEY: 'atsk' },
  { log: createLog('info', { write: (line) => lines.push(line) }) },
);
beforeEach(() => {
  lines.length = 0;
});

async function queue(channel: 'email' | 'sms', values: { readonly expiresAt?: Date } = {}): Promise<void> {
  await queueMessage(app.platform, app.platform.db, {
    channel,
    to: channel === 'email' ? 'amina@example.com' : '0700000001',
    subject: 'Your Kasente PIN',
    body: 'Kasente: your PIN is 48213.',
    ...values,
  });
}

async function settle(values: {
  state: 'sent' | 'failed' | 'expired' | 'queued';
  sent_at?: Date;
  last_error?: string;
  due_at?: Date;
}): Promise<void> {
  const { id } = await app.platform.db
    .selectFrom('messages')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  await app.platform.db.updateTable('messages').set(values).where('id', '=', id).execute();
}

async function metrics(): Promise<Record<string, number>> {
  const { payload } = await app.server.inject({ url: '/metrics' });
  const own = payload.split('\n').filter((line) => line.startsWith('kasente_message'));
  return Object.fromEntries(own.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

const inMinutes = (minutes: number) => new Date(app.clock.now().getTime() + minutes * MINUTE_MS);

describe('the metrics of messages', () => {
  it('count each channel and state, and are 0 where there is nothing', async () => {
    const empty = await metrics();
    expect(Object.keys(empty)).toHaveLength(10);
    expect(new Set(Object.values(empty))).toEqual(new Set([0]));

    await queue('sms');
    await queue('sms');
    await settle({ state: 'queued', due_at: inMinutes(60) });
    await queue('email');
    await settle({ state: 'failed', last_error: 'no such user' });
    await queue('email', { expiresAt: inMinutes(5) });
    await settle({ state: 'expired' });
    await queue('email');
    await settle({ state: 'sent', sent_at: app.clock.now() });
    // A newer text replaced it, so nobody misses it.
    await queue('sms');
    await settle({ state: 'expired' });
    app.clock.advance(90);
    expect(await metrics()).toEqual({
      'kasente_messages{channel="email",state="waiting"}': 0,
      'kasente_messages{channel="email",state="held"}': 0,
      'kasente_messages{channel="email",state="sent"}': 1,
      'kasente_messages{channel="email",state="dead"}': 2,
      'kasente_messages{channel="sms",state="waiting"}': 1,
      'kasente_messages{channel="sms",state="held"}': 1,
      'kasente_messages{channel="sms",state="sent"}': 0,
      'kasente_messages{channel="sms",state="dead"}': 0,
      'kasente_message_oldest_waiting_seconds{channel="email"}': 0,
      'kasente_message_oldest_waiting_seconds{channel="sms"}': 90,
    });
  });

  it('count what was sent for a day, and what is held as waiting from when its turn has come', async () => {
    await queue('email');
    await settle({ state: 'sent', sent_at: app.clock.now() });
    await queue('sms');
    await settle({ state: 'queued', due_at: inMinutes(60) });
    app.clock.advance(DAY_SECONDS);
    expect(await metrics()).toMatchObject({
      'kasente_messages{channel="email",state="sent"}': 0,
      'kasente_messages{channel="sms",state="held"}': 0,
      'kasente_messages{channel="sms",state="waiting"}': 1,
      'kasente_message_oldest_waiting_seconds{channel="sms"}': 23 * HOUR_SECONDS,
    });
  });
});

describe('a message that waits', () => {
  const warnings = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes('have waited'));

  it('is warned of after five minutes, with the channel, how many, since when and why', async () => {
    await queue('email');
    await settle({ state: 'queued', last_error: 'Invalid login: 535 5.7.8' });
    await queue('email');
    app.clock.advance(299);
    await warnOfWaiting(app.platform);
    expect(warnings()).toEqual([]);
    app.clock.advance(1);
    await warnOfWaiting(app.platform);
    expect(warnings()).toMatchObject([
      { level: 40, channel: 'email', waiting: 2, oldestSeconds: 300, reason: 'Invalid login: 535 5.7.8' },
    ]);
  });

  it('is not warned of while its turn has not come, nor in development where nobody sends it', async () => {
    await queue('sms');
    await settle({ state: 'queued', due_at: inMinutes(60) });
    await queue('email');
    app.clock.advance(600);
    await warnOfWaiting({ ...app.platform, config: { ...app.platform.config, smtp: undefined } });
    expect(warnings()).toEqual([]);
  });
});

it('the operator’s list names failed messages, newest first, without their text', async () => {
  await queue('sms', { expiresAt: inMinutes(5) });
  await settle({ state: 'expired' });
  app.clock.advance(60);
  await queue('email');
  await settle({ state: 'failed', last_error: '550 5.1.1 no such user' });
  await queue('email');
  const dead = await listDead(app.platform.db, 10);
  expect(dead).toMatchObject([
    { channel: 'email', recipient: 'amina@example.com', state: 'failed', lastError: '550 5.1.1 no such user' },
    { channel: 'sms', recipient: '0700000001', state: 'expired', lastError: null },
  ]);
  expect(dead.flatMap((message) => Object.keys(message))).not.toContain('body');
  expect(await listDead(app.platform.db, 1)).toHaveLength(1);
});
