import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_SECONDS, MINUTE_MS } from '#contract/time/durations.ts';
import { requestReset } from '#server/accounts/accounts.harness.ts';
import { buildBusiness, buildPerson, buildReadyInvoice, buildSignedIn, uniquePhone } from '#testing/builders.ts';
import { buildCaseClient, buildOfficer, type CaseClient, onDesk, succeed } from '#testing/case-builders.ts';
import { appOfTest } from '#testing/test-app.ts';

/** The number of texts that a person's own acts send, and when the others go out. */

// A gateway is configured so that jobs are queued; nothing runs them here.
const app = appOfTest({
  RESUBMIT_PAUSE_MINUTES: '0',
  SESSION_IDLE_MINUTES: '720',
  SMS_URL: 'http://localhost:1',
  SMS_USERNAME: 'kasente',
  SMS_API_KEY: 'atsk_secret',
});
let client: CaseClient;
beforeEach(async () => {
  client = await buildCaseClient(app);
});

/** Every sent or waiting message in the order of turns: recipient, minutes from the start, and text. */
async function texts(): Promise<{ to: string; minute: number; body: string }[]> {
  const rows = await app.platform.db
    .selectFrom('messages')
    .where('state', '<>', 'expired')
    .orderBy('due_at')
    .orderBy('id')
    .select(['recipient as to', 'due_at', 'body'])
    .execute();
  return rows.map(({ to, due_at: dueAt, body }) => ({
    to,
    minute: ((dueAt?.getTime() ?? 0) - Date.parse('2026-11-20T09:00:00Z')) / MINUTE_MS,
    body: body === null ? '' : app.platform.sealer.unseal(body),
  }));
}

const minutes = async () => (await texts()).map(({ minute }) => minute);

async function submitOne(given: Parameters<typeof buildReadyInvoice>[2] = {}): Promise<{ tag: string }> {
  const invoice = await buildReadyInvoice(app, client.person, given);
  await succeed(client.caller.post(`/applications/${invoice.tag}/submit`));
  return invoice;
}

const withdraw = ({ tag }: { tag: string }) => succeed(client.caller.post(`/applications/${tag}/withdraw`));

/** Submits and withdraws an invoice under one number repeatedly, some minutes apart. */
async function rounds(count: number, minutesApart: number): Promise<void> {
  const { id: buyerId } = await buildBusiness(app, { kind: 'buyer' });
  for (let round = 0; round < count; round += 1) {
    await withdraw(await submitOne({ invoiceNumber: 'INV-7', buyerId }));
    app.clock.advance(minutesApart * 60);
  }
}

describe('the texts of a person’s own acts', () => {
  it('are six in an hour; of 25 rounds of submitting and withdrawing one more waits, the last', async () => {
    await rounds(25, 0);
    expect(await minutes()).toEqual([0, 0, 0, 0, 0, 0, 60]);
    expect((await texts()).at(-1)?.body).toContain('You withdrew your application');
    const jobs = await app.platform.pool.query(
      `select extract(epoch from start_after - $1::timestamptz)::int as seconds from pgboss.job
        join messages on messages.id = (data->>'id')::bigint where messages.state <> 'expired' order by messages.id`,
      [app.clock.now()],
    );
    expect(jobs.rows.at(-1)).toEqual({ seconds: HOUR_SECONDS });
  });

  it('are six within any hour, however many the rounds', async () => {
    await rounds(25, 10);
    const sent = await minutes();
    for (const end of sent) expect(sent.filter((at) => at <= end && at > end - 60).length).toBeLessThanOrEqual(6);
    expect(sent.length).toBeGreaterThan(18);
  });

  it('about different invoices all go, six an hour', async () => {
    for (let nth = 0; nth < 13; nth += 1) await submitOne();
    expect(await minutes()).toEqual([...Array(6).fill(0), ...Array(6).fill(60), 120]);
  });

  it('are not more with many concurrent acts', async () => {
    const submitted = [];
    for (let nth = 0; nth < 10; nth += 1) submitted.push(await submitOne());
    app.clock.advance(2 * HOUR_SECONDS);
    await Promise.all(submitted.map(withdraw));
    expect((await minutes()).slice(10)).toEqual([...Array(6).fill(120), ...Array(4).fill(180)]);
  });

  it('are each person’s own', async () => {
    await rounds(5, 0);
    client = await buildCaseClient(app);
    await rounds(2, 0);
    const own = (await texts()).filter(({ to }) => to === client.person.username);
    expect(own.map(({ minute }) => minute)).toEqual([0, 0, 0, 0]);
  });
});

describe('the texts of a submission to colleagues', () => {
  /** A colleague in the client's business, and their messages. */
  async function buildColleague() {
    const { username } = await buildPerson(app, { businessId: client.person.businessId, username: uniquePhone() });
    return async () => (await texts()).filter(({ to }) => to === username);
  }
  const MORE = 'There are more applications. Log in to see all of them.';

  it('go at once, whatever else the submitter’s own acts have sent', async () => {
    for (let nth = 0; nth < 5; nth += 1) await withdraw(await submitOne());
    expect(await minutes()).toContain(60);
    const told = await buildColleague();
    await submitOne({ invoiceNumber: 'INV-REAL' });
    expect(await told()).toMatchObject([{ minute: 0, body: expect.stringContaining('INV-REAL') }]);
    expect((await told())[0]?.body).not.toContain(MORE);
  });

  it('wait behind no decoys: the newest comes within ten minutes, and says that there are more', async () => {
    const told = await buildColleague();
    for (let nth = 0; nth < 12; nth += 1) await withdraw(await submitOne());
    await submitOne({ invoiceNumber: 'INV-REAL' });
    expect(await told()).toMatchObject([{ minute: 0 }, { minute: 10, body: expect.stringContaining('INV-REAL') }]);
    expect((await told())[1]?.body).toContain(MORE);
  });

  it('are six in an hour to each of them, however many are submitted', async () => {
    const told = [await buildColleague(), await buildColleague()];
    for (let nth = 0; nth < 25; nth += 1) {
      await withdraw(await submitOne());
      app.clock.advance(5 * 60);
    }
    for (const one of told) {
      const sent = (await one()).map(({ minute }) => minute);
      expect(sent).toEqual(sent.map((_, nth) => nth * 10));
      expect(sent.length).toBeGreaterThanOrEqual(12);
    }
  });

  it('take no turn from the submitter’s own', async () => {
    await buildColleague();
    for (let nth = 0; nth < 6; nth += 1) await submitOne();
    const own = (await texts()).filter(({ to }) => to === client.person.username);
    expect(own.map(({ minute }) => minute)).toEqual(Array(6).fill(0));
  });
});

describe('a text that waits', () => {
  it('is replaced by what an officer decides, which goes at once', async () => {
    for (let nth = 0; nth < 6; nth += 1) await submitOne();
    const waiting = await submitOne();
    expect((await minutes()).at(-1)).toBe(60);
    const officer = await buildOfficer(app);
    await succeed(onDesk(officer, waiting.tag, 'take'));
    await succeed(onDesk(officer, waiting.tag, 'start_review'));
    expect(await minutes()).toEqual(Array(7).fill(0));
    expect((await texts()).at(-1)?.body).toContain('An officer is looking at your application now.');
  });

  it('is not replaced by one about another client’s invoice of that number', async () => {
    await rounds(4, 0);
    const before = await texts();
    client = await buildCaseClient(app);
    await rounds(1, 0);
    expect(await texts()).toEqual(expect.arrayContaining(before));
  });
});

describe('what is not held', () => {
  it('is what officers do, however many', async () => {
    const officer = await buildOfficer(app);
    const submitted = [];
    for (let nth = 0; nth < 10; nth += 1) submitted.push(await submitOne());
    app.clock.advance(2 * HOUR_SECONDS);
    for (const { tag } of submitted) {
      await succeed(onDesk(officer, tag, 'take'));
      await succeed(onDesk(officer, tag, 'start_review'));
    }
    expect((await minutes()).slice(10)).toEqual(Array(10).fill(120));
  });

  it('is an e-mail', async () => {
    const { id: businessId } = await buildBusiness(app);
    const { caller, person } = await buildSignedIn(app, { perms: ['BIDA'], businessId, username: 'a@kasente.test' });
    client = { caller, person: { ...person, businessId } };
    await rounds(6, 0);
    expect(await minutes()).toEqual(Array(12).fill(0));
  });

  it('is a code', async () => {
    await rounds(5, 0);
    expect((await requestReset(app, client.person.username)).status).toBe(200);
    expect((await texts()).filter(({ body }) => body.includes('set a new password'))).toMatchObject([{ minute: 0 }]);
  });
});
