import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PgBoss } from 'pg-boss';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { type RunningJobs, startJobs } from '#server/jobs/jobs.ts';
import { childEnvironment } from '#testing/child-environment.ts';
import { MailServer } from '#testing/servers/mail-server.ts';
import { createTestPlatform, TEST_SECRET, type TestPlatform } from '#testing/test-platform.ts';
import { messageQueues, messageWorkers } from './messages.jobs.ts';
import { queueMessage } from './messages.service.ts';

/** What happens to messages if their server is killed (docs/decisions/0004-outbox.md). */

const WAIT = { timeout: 100_000, interval: 50 };
const FOR_EVER = new Promise<never>(() => undefined);

describe('messages of a server that is killed', () => {
  let mail: MailServer;
  let test: TestPlatform;
  let jobs: RunningJobs | undefined;
  let child: ChildProcess | undefined;

  beforeEach(async () => {
    mail = await new MailServer().listen();
    test = await createTestPlatform({ SMTP_URL: mail.url });
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await jobs?.stop();
    jobs = undefined;
    await mail.close();
    await test.close();
  });

  function queue(to: string): Promise<void> {
    const message = { channel: 'email', to, subject: 'Your account is active', body: 'Log in.' } as const;
    return test.platform.db.inTransaction((change) => queueMessage(test.platform, change, message));
  }

  function startVictim(): void {
    const { host, port, user } = inject('cluster');
    const script = join(import.meta.dirname, 'messages.child.ts');
    child = spawn(process.execPath, [script, host, String(port), user, test.database.name, TEST_SECRET], {
      env: childEnvironment({
        NODE_ENV: 'test',
        SMTP_URL: mail.url,
        DATA_DIR: test.platform.config.dataDir,
        LOG_LEVEL: 'error',
      }),
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }

  async function killVictim(): Promise<void> {
    if (child === undefined) throw new Error('nobody to kill');
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Another server on the same database. It notices at once that the first one is dead, not half a minute later. */
  async function startSurvivor(): Promise<void> {
    const { pool } = test.platform;
    await pool.query(`update pgboss.job set heartbeat_on = heartbeat_on - interval '1 hour' where state = 'active'`);
    const undertaker = new PgBoss({
      db: { executeSql: (text, values) => pool.query(text, values) },
      supervise: false,
      schedule: false,
    });
    for (const { name } of messageQueues) await undertaker.supervise(name);
    const plan = { queues: messageQueues, workers: messageWorkers(test.platform), sweeps: {} };
    jobs = await startJobs(test.platform, plan);
  }

  const rows = () => test.platform.db.selectFrom('messages').selectAll().orderBy('id').execute();

  const settled = () =>
    vi.waitFor(async () => {
      const all = await rows();
      expect(all.filter(({ state }) => !['sent', 'failed'].includes(state))).toEqual([]);
      return all;
    }, WAIT);

  it('are sent once if it died between the commit and the sending', async () => {
    await queue('amina@example.com');
    await startSurvivor();
    expect(await settled()).toMatchObject([{ state: 'sent', attempts: 1 }]);
    expect(mail.mails.all).toHaveLength(1);
  });

  it('are sent once by another server if it died before the hand-over', async () => {
    mail.onRecipient = () => FOR_EVER;
    await queue('amina@example.com');
    startVictim();
    await mail.recipients.reached(1);
    await killVictim();
    expect(await rows()).toMatchObject([{ state: 'sending', handed_over_at: null }]);
    mail.onRecipient = () => undefined;
    await startSurvivor();
    expect(await settled()).toMatchObject([{ state: 'sent', attempts: 2 }]);
    expect(mail.mails.all).toHaveLength(1);
  });

  it('are not sent again but shown as failed if it died after the hand-over', async () => {
    mail.onContent = () => FOR_EVER;
    await queue('amina@example.com');
    startVictim();
    await mail.contents.reached(1);
    await killVictim();
    mail.onContent = () => undefined;
    await startSurvivor();
    const reason = 'the server stopped after handing it over: it may have arrived';
    expect(await settled()).toMatchObject([{ state: 'failed', attempts: 1, last_error: reason }]);
    expect(mail.contents.all).toHaveLength(1);
  });

  it('are neither lost nor doubled, wherever it was with a hundred of them', async () => {
    const everybody = Array.from({ length: 100 }, (_, index) => `person${index}@example.com`);
    await Promise.all(everybody.map(queue));
    startVictim();
    await mail.contents.reached(37);
    await killVictim();
    await startSurvivor();
    const all = await settled();
    const arrived = mail.contents.all.map((raw) => /^To: <?([^>\s]+)/m.exec(raw)?.[1]);
    expect(new Set(arrived).size).toBe(arrived.length);
    expect(all).toHaveLength(100);
    for (const { state, recipient, last_error } of all) {
      if (state === 'sent') expect(arrived).toContain(recipient);
      else expect(last_error).toContain('it may have arrived');
    }
    // At most the number of messages on which it worked at once.
    expect(all.filter(({ state }) => state === 'failed').length).toBeLessThanOrEqual(10);
  });
});
