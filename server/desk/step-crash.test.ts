import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HOUR_SECONDS } from '#contract/time/durations.ts';
import { sweepSla } from '#server/desk/sla/sla-sweep.service.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { messageQueues, messageWorkers } from '#server/messages/messages.jobs.ts';
import { buildBusiness, buildSignedIn } from '#testing/builders.ts';
import { type BuiltCase, buildOfficer, buildSubmittedCase, onDesk, succeed } from '#testing/case-builders.ts';
import { MailServer } from '#testing/servers/mail-server.ts';
import { createTestApp, type TestApp } from '#testing/test-app.ts';
import { stepCalls, traceOf } from './desk.harness.ts';

/**
 * The message of every step arrives once, even if the server is killed between the commit of a step and the sending: a
 * step's message and its job are rows of the step's own transaction (server/messages/crash.test.ts shows the same for a
 * server that is killed while it sends).
 */

const WAIT = { timeout: 100_000, interval: 50 };

describe('the messages of the steps', () => {
  let mail: MailServer;
  let app: TestApp;
  beforeEach(async () => {
    mail = await new MailServer().listen();
    app = await createTestApp({ SMTP_URL: mail.url, SESSION_IDLE_MINUTES: '720' });
  });
  afterEach(async () => {
    await mail.close();
    await app.close();
  });

  async function submit(): Promise<BuiltCase> {
    const { id: businessId } = await buildBusiness(app);
    const username = 'amina@example.com';
    const { caller, person } = await buildSignedIn(app, { perms: ['BIDA'], businessId, username });
    return buildSubmittedCase(app, { client: { caller, person: { ...person, businessId } } });
  }

  /** Runs a server that sends, until everything queued is sent. */
  async function sendAll(): Promise<void> {
    const plan = { queues: messageQueues, workers: messageWorkers(app.platform), sweeps: {} };
    const jobs = await startJobs(app.platform, plan);
    try {
      await vi.waitFor(async () => {
        const rows = await app.platform.db.selectFrom('messages').select('state').execute();
        expect(rows.filter(({ state }) => state !== 'sent')).toEqual([]);
      }, WAIT);
    } finally {
      await jobs.stop();
    }
  }

  it('wait in the database for a server that sends, and arrive once each', async () => {
    // Nothing is sent here, as if this server died right after each commit.
    const built = await submit();
    await succeed(onDesk(built.officer, built.tag, 'take'));
    await succeed(stepCalls.startReview(built));
    await succeed(stepCalls.requestInformation(built));
    await succeed(stepCalls.answerRequest(built));
    app.clock.advance(4 * HOUR_SECONDS + 1);
    await sweepSla(app.platform);
    await succeed(stepCalls.approve(built));
    expect(mail.mails.all).toHaveLength(0);
    await sendAll();
    await sendAll();
    const subject = `Invoice ${built.invoiceNumber}:`;
    const sent = mail.mails.all.map((one) => one.subject).toSorted();
    expect(sent).toEqual(
      ['approved', 'news', 'news', 'submitted', 'we are late', 'we need something from you'].map(
        (what) => `${subject} ${what}`,
      ),
    );
  });

  it('are none where the step was refused, or its commit failed', async () => {
    const built = await submit();
    await succeed(onDesk(built.officer, built.tag, 'take'));
    const other = await buildOfficer(app);
    expect((await stepCalls.startReview({ ...built, officer: other })).status).toBe(409);
    // The state left by a server that dies after the last statement and before the commit.
    await app.database.owner.pool.query(`create constraint trigger dies_at_commit after insert on application_steps
      deferrable initially deferred for each row execute function refuse_change()`);
    const before = await traceOf(app, built);
    expect((await stepCalls.startReview(built)).status).toBe(500);
    expect(await traceOf(app, built)).toEqual(before);
    await sendAll();
    expect(mail.mails.all.map(({ subject }) => subject)).toEqual([`Invoice ${built.invoiceNumber}: submitted`]);
  });
});
