import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { openDatabase } from '#server/db/database.ts';
import { type RunningJobs, startJobs } from '#server/jobs/jobs.ts';
import type { Platform } from '#server/platform/platform.ts';
import { createSealer } from '#server/secrets/sealer.ts';
import { MailServer } from '#testing/servers/mail-server.ts';
import { SmsGateway } from '#testing/servers/sms-gateway.ts';
import { createTestPlatform, type TestPlatform } from '#testing/test-platform.ts';
import { until } from '#testing/until.ts';
import { messageQueues, messageWorkers } from './messages.jobs.ts';
import { type Message, queueMessage } from './messages.service.ts';

const CODE = '48213';
const WAIT = { timeout: 100_000, interval: 20 };

describe('messages', () => {
  let mail: MailServer;
  let sms: SmsGateway;
  let test: TestPlatform;
  const running: RunningJobs[] = [];

  beforeEach(async () => {
    mail = await new MailServer().listen();
    sms = await new SmsGateway().listen();
    test = await createTestPlatform({ SMTP_URL: mail.url, ...sms.settings });
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((jobs) => jobs.stop()));
    await Promise.all([mail.close(), sms.close()]);
    await test.close();
  });

  async function work(platform: Platform = test.platform): Promise<RunningJobs> {
    const jobs = await startJobs(platform, { queues: messageQueues, workers: messageWorkers(platform), sweeps: {} });
    running.push(jobs);
    return jobs;
  }

  function queue(message: Partial<Message> = {}, platform: Platform = test.platform): Promise<void> {
    const whole: Message = {
      channel: 'email',
      to: 'amina@example.com',
      subject: 'Your Kasente PIN',
      body: `Kasente: your PIN is ${CODE}.`,
      ...message,
    };
    return platform.db.inTransaction((change) => queueMessage(platform, change, whole));
  }

  const rows = () => test.platform.db.selectFrom('messages').selectAll().orderBy('id').execute();

  /** Waits until every message is in one of these states. */
  const settled = (...states: string[]) =>
    vi.waitFor(async () => {
      const all = await rows();
      expect(all.filter(({ state }) => !states.includes(state))).toEqual([]);
      return all;
    }, WAIT);

  it('sends e-mails and text messages within about a second of the commit', async () => {
    await work();
    const started = performance.now();
    await queue();
    await queue({ channel: 'sms', to: '0700000001' });
    await Promise.all([mail.mails.reached(1), sms.requests.reached(1)]);
    expect(performance.now() - started).toBeLessThan(2_500);
    expect(sms.requests.all[0]?.form).toMatchObject({ to: '+256700000001', message: `Kasente: your PIN is ${CODE}.` });
    for (const row of await settled('sent')) {
      expect(row).toMatchObject({ attempts: 1, last_error: null, sent_at: test.clock.now() });
    }
  });

  it('sends each of 200 messages once, with two servers on one database', async () => {
    const other = openDatabase({ ...inject('cluster'), database: test.database.name }, () => undefined);
    await Promise.all([work(), work({ ...test.platform, db: other.db, pool: other.pool })]);
    // Never more at once than may wait for a database connection, even on a busy machine.
    for (let first = 0; first < 200; first += 10)
      await Promise.all(Array.from({ length: 10 }, (_, nth) => queue({ to: `person${first + nth}@example.com` })));
    await settled('sent');
    const addressees = mail.mails.all.map(({ to }) => to?.[0]?.address);
    expect(addressees).toHaveLength(200);
    expect(new Set(addressees).size).toBe(200);
    await Promise.all(running.splice(0).map((jobs) => jobs.stop()));
    await other.close();
  });

  it('sends nothing of what was rolled back', async () => {
    const { platform } = test;
    const failure = platform.db.inTransaction(async (change) => {
      await queueMessage(platform, change, {
        channel: 'email',
        to: 'eve@example.com',
        subject: 'No',
        body: 'This never happened.',
      });
      throw new Error('rolled back');
    });
    await expect(failure).rejects.toThrow('rolled back');
    await queue();
    await work();
    await settled('sent');
    expect(mail.recipients.all).toEqual(['amina@example.com']);
  });

  it('tries again while the provider is down, and sends once when it is up', async () => {
    await mail.close();
    await queue();
    await work();
    await vi.waitFor(async () => {
      expect(await rows()).toMatchObject([{ state: 'queued', last_error: expect.stringContaining('ECONNREFUSED') }]);
    }, WAIT);
    await mail.listen();
    const [row] = await settled('sent');
    expect(row?.attempts).toBeGreaterThan(1);
    expect(mail.mails.all).toHaveLength(1);
  });

  it('does not let a dead provider of one channel hold up the other', async () => {
    await mail.close();
    await work();
    await Promise.all(Array.from({ length: 30 }, () => queue()));
    await queue({ channel: 'sms', to: '0700000001' });
    await sms.requests.reached(1);
  });

  it('tries a refused message again, and one whose recipient does not exist never', async () => {
    const refusals = [{ code: 451, text: '4.3.0 later' }];
    mail.onRecipient = (address) =>
      address === 'nobody@example.com' ? { code: 550, text: '5.1.1 no such user' } : refusals.pop();
    await queue();
    await queue({ to: 'nobody@example.com' });
    await work();
    const [first, second] = await settled('sent', 'failed');
    expect(first).toMatchObject({ state: 'sent', attempts: 2 });
    expect(second).toMatchObject({ state: 'failed', attempts: 1 });
    expect(second?.last_error).toContain('550 5.1.1 no such user');
    expect(mail.mails.all).toHaveLength(1);
  });

  it('does not send again what may have arrived, and says so', async () => {
    mail.onContent = () => 'break';
    await queue();
    await work();
    const [row] = await settled('failed');
    expect(row?.last_error).toBe('Connection closed unexpectedly: it may have arrived');
    await until(async () => (await openJobs()) === 0); // the job ends after the row says that the message was sent
    expect(mail.contents.all).toHaveLength(1);
  });

  it('tries what dies soon every 15 s at most, and what lives longer as long as any other message', async () => {
    const inSeconds = (seconds: number) => new Date(test.clock.now().getTime() + seconds * 1000);
    const lifetimes = [300, 15 * 60, 15 * 60 + 1, DAY_SECONDS];
    for (const seconds of lifetimes) await queue({ expiresAt: inSeconds(seconds) });
    await queue();
    const { rows: paces } = await test.platform.pool.query(
      'select priority, retry_delay_max as cap, retry_backoff as grows from pgboss.job order by (data->>$1)::int',
      ['id'],
    );
    expect(paces).toEqual([
      { priority: 1, cap: 15, grows: true },
      { priority: 1, cap: 15, grows: true },
      { priority: 1, cap: 600, grows: true },
      { priority: 1, cap: 600, grows: true },
      { priority: 0, cap: 600, grows: true },
    ]);
  });

  it('does not send a code that has died', async () => {
    await queue({ expiresAt: new Date(test.clock.now().getTime() + 300_000) });
    test.clock.advance(300);
    await queue({ to: 'later@example.com', expiresAt: new Date(test.clock.now().getTime() + 300_000) });
    await work();
    const [dead, alive] = await settled('expired', 'sent');
    expect([dead?.state, alive?.state]).toEqual(['expired', 'sent']);
    expect(mail.recipients.all).toEqual(['later@example.com']);
  });

  it('does not hand over a code that dies while the server is slow', async () => {
    mail.onRecipient = () => {
      test.clock.advance(300);
      return undefined;
    };
    await queue({ expiresAt: new Date(test.clock.now().getTime() + 300_000) });
    await work();
    await settled('expired');
    expect(mail.contents.all).toEqual([]);
  });

  it('gives a message up when its attempts are used up', async () => {
    mail.onRecipient = () => ({ code: 451, text: '4.3.0 never' });
    await queue();
    await test.platform.pool.query(`update pgboss.job set retry_limit = 0`);
    await work();
    const [row] = await settled('failed');
    expect(row?.last_error).toBe('given up after the last attempt');
  });

  it('keeps what it says out of the database and the log', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'debug' }, { write: (line) => void lines.push(line) });
    const platform = { ...test.platform, log };
    mail.onContent = (raw) => ({ code: 554, text: `spam: ${raw.replaceAll(/\s+/g, ' ').slice(-60)}` });
    await queue({}, platform);
    await work(platform);
    await vi.waitFor(async () => {
      expect(await rows()).toMatchObject([
        { state: 'queued', last_error: expect.stringContaining('your PIN is #####') },
      ]);
    }, WAIT);
    const stored = await test.platform.pool.query(`select m::text, j::text from messages m, pgboss.job j`);
    expect(stored.rows.length).toBeGreaterThan(0);
    const text = JSON.stringify(stored.rows) + lines.join('');
    expect(lines.join('')).toContain('your PIN is #####');
    expect(text).not.toContain(CODE);
    expect(text).not.toContain(Buffer.from(CODE).toString('hex'));
    expect(text).not.toContain(Buffer.from(`PIN is ${CODE}`).toString('base64').slice(0, 12));
  });

  it('erases the body once it is sent or expired, in production', async () => {
    const config = { ...test.platform.config, production: true };
    const platform = { ...test.platform, config };
    await queue({}, platform);
    await queue({ expiresAt: test.clock.now() }, platform);
    await work(platform);
    const all = await settled('sent', 'expired');
    expect(all.map(({ state, body }) => [state, body])).toEqual([
      ['sent', null],
      ['expired', null],
    ]);
  });

  it('warns of a channel without a provider in production, and sends when there is one', async () => {
    const warnings: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) });
    const config = { ...test.platform.config, production: true, sms: undefined };
    const platform = { ...test.platform, config, log };
    await queue({ channel: 'sms', to: '0700000001' }, platform);
    await queue({}, platform);
    const jobs = await work(platform);
    expect(warnings.join('')).toContain('There are no SMS_USERNAME and SMS_API_KEY');
    await mail.mails.reached(1);
    await vi.waitFor(async () => {
      expect((await rows()).map(({ state }) => state)).toEqual(['queued', 'sent']);
    }, WAIT);
    await jobs.stop();
    await work();
    await sms.requests.reached(1);
    await settled('sent');
  });

  it('gives a message that nobody can read up like any other, and says so at each attempt', async () => {
    const errors: string[] = [];
    const log = pino({ level: 'error' }, { write: (line) => void errors.push(line) });
    await queue({}, { ...test.platform, sealer: createSealer('a secret that no server has') });
    await test.platform.pool.query(`update pgboss.job set retry_limit = 1`);
    await work({ ...test.platform, log });
    const [row] = await settled('failed');
    expect(row).toMatchObject({ attempts: 2, last_error: 'given up after the last attempt' });
    expect(errors.filter((line) => line.includes('a message was sealed with another secret'))).toHaveLength(2);
    expect(mail.recipients.all).toEqual([]);
  });

  it('continues after the database has dropped every connection', async () => {
    await work();
    await queue();
    await settled('sent');
    await test.platform.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await queue({ to: 'again@example.com' });
    await mail.mails.reached(2);
  });

  it('finishes running jobs before it stops', async () => {
    const answer = Promise.withResolvers<undefined>();
    mail.onContent = () => answer.promise;
    await queue();
    const jobs = await work();
    await mail.contents.reached(1);
    let stopped = false;
    const stopping = jobs.stop().then(() => {
      stopped = true;
    });
    await queue({ to: 'later@example.com' });
    expect(stopped).toBe(false);
    answer.resolve(undefined);
    await stopping;
    expect((await rows()).map(({ state }) => state)).toEqual(['sent', 'queued']);
  });

  async function openJobs(): Promise<number> {
    const { rows: counted } = await test.platform.pool.query(
      `select count(*)::int as open from pgboss.job where name like 'message-%' and state in ('created', 'retry', 'active')`,
    );
    return counted[0].open;
  }
});
