import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { kampalaDate } from '#contract/time/calendar.ts';
import { DAY_MS } from '#contract/time/durations.ts';
import {
  applicationForm,
  buildClient,
  type Client,
  eventsOf,
  invoiceForm,
  postApplication,
  postInvoice,
  rowOf,
  saveApplication,
  saveInvoice,
} from '#server/invoices/invoices.harness.ts';
import { buildDocument, buildReadyInvoice, buildSignedIn } from '#testing/builders.ts';
import { appOfFile } from '#testing/test-app.ts';

const MANDATORY = ['Invoice copy', 'Proof of delivery or completed work', 'Contract or purchase order'];
const NOT_READY = 'The application is not ready to be submitted';

const app = appOfFile();
let client: Client;
beforeEach(async () => {
  client = await buildClient(app);
});

/** Runs the readiness check at both of its addresses, which must agree. */
async function readiness(tag: string): Promise<{ success: boolean; missing: string[] }> {
  const answers = await Promise.all(
    [`/invoices/${tag}/validate_submission`, `/applications/submit-ready-check/${tag}`].map((path) =>
      client.caller.get(path),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0]?.body).toEqual(answers[1]?.body);
  return answers[0]?.body;
}

async function messagesTo(username: string): Promise<{ channel: string; subject: string; body: string }[]> {
  const { body } = await app.visitor().get('/dev/messages');
  const messages: { to: string; channel: string; subject: string; body: string }[] = body;
  return messages.filter(({ to }) => to === username);
}

/** Asserts that an attempt to submit is refused with this status and body, and changes no row, record or message. */
async function expectNotSubmitted(tag: string, status: number, body: Record<string, unknown>): Promise<void> {
  const before = [await rowOf(app, tag), await eventsOf(app, tag)];
  const answer = await client.caller.post(`/applications/${tag}/submit`);
  expect([answer.status, answer.body]).toEqual([status, { success: false, ...body }]);
  expect([await rowOf(app, tag), await eventsOf(app, tag)]).toEqual(before);
  expect(await messagesTo(client.person.username)).toEqual([]);
}

async function change(tag: string, values: Record<string, unknown>): Promise<void> {
  await app.platform.db.updateTable('invoices').set(values).where('tag', '=', tag).execute();
}

describe('what a client must meet', () => {
  it('is told before there is an application: the business, late advances and the smallest advance', async () => {
    const { body } = await client.caller.get('/applications/requirements');
    expect(body).toEqual({
      isClientActive: true,
      pausedUntil: null,
      smallestAdvances: [
        { currency: 'UGX', amount: 50_000 },
        { currency: 'USD', amount: 20 },
      ],
    });
  });
});

describe('what is missing', () => {
  it('is named in words: the application, then the mandatory documents', async () => {
    const { tag } = await saveInvoice(client);
    expect(await readiness(tag)).toEqual({
      success: false,
      missing: ['Amount applied for', 'Financing period', ...MANDATORY],
    });
    await saveApplication(client, tag);
    expect(await readiness(tag)).toEqual({ success: false, missing: MANDATORY });
    const { id } = await rowOf(app, tag);
    for (const typeId of [1, 3, 4]) await buildDocument(app, client.person, id, typeId);
    expect(await readiness(tag)).toEqual({ success: false, missing: ['Proof of delivery or completed work'] });
    await expectNotSubmitted(tag, 409, {
      code: 'NOT_READY',
      msg: NOT_READY,
      missing: ['Proof of delivery or completed work'],
    });
    await buildDocument(app, client.person, id, 2);
    expect(await readiness(tag)).toEqual({ success: true, missing: [] });
  });

  it('is a newer invoice where a draft waited until its invoice was too old', async () => {
    const { tag } = await buildReadyInvoice(app, client.person);
    const daysAgo = (days: number): string => kampalaDate(new Date(app.clock.now().getTime() - days * DAY_MS));
    await change(tag, { invoice_date: daysAgo(366) });
    const missing = ['The invoice may be at most 365 days old. Check the date, or use a newer invoice'];
    expect(await readiness(tag)).toEqual({ success: false, missing });
    await expectNotSubmitted(tag, 409, { code: 'NOT_READY', msg: NOT_READY, missing });
    await change(tag, { invoice_date: daysAgo(365) });
    expect(await readiness(tag)).toEqual({ success: true, missing: [] });
  });

  it('is what an amount lowered below the advance says', async () => {
    const { tag, invoiceNumber, buyerId } = await buildReadyInvoice(app, client.person);
    await postInvoice(client, invoiceForm(client, { tag, invoiceNumber, buyerId, amount: 999_999 }));
    const missing = ['Amount applied for should be less than invoice amount'];
    expect(await readiness(tag)).toEqual({ success: false, missing });
    await expectNotSubmitted(tag, 409, { code: 'NOT_READY', msg: NOT_READY, missing });
  });

  it('is a period that is not offered', async () => {
    const { tag } = await buildReadyInvoice(app, client.person);
    await app.platform.db.insertInto('financing_periods').values({ id: 90, name: '90 days', days: 90 }).execute();
    const period = {
      financing_period_id: 90,
      tenor_days: 90,
      fee_rate_bps: 0,
      discount_fee: '0',
      net_proceeds: '900000',
    };
    await change(tag, period);
    expect(await readiness(tag)).toEqual({ success: false, missing: ['Select Financing Period'] });
    await expectNotSubmitted(tag, 409, { code: 'NOT_READY', msg: NOT_READY, missing: ['Select Financing Period'] });
  });

  it('is a buyer that is no longer active; the submission says which field', async () => {
    const { tag, buyerId } = await buildReadyInvoice(app, client.person);
    await app.platform.db.updateTable('businesses').set({ active: false }).where('id', '=', buyerId).execute();
    expect(await readiness(tag)).toEqual({ success: false, missing: ['Select buyer'] });
    const msg = 'Choose one of the options offered';
    await expectNotSubmitted(tag, 422, { code: 'UNKNOWN_REFERENCE', msg, fields: { 'invoice.buyerId': msg } });
  });

  it('is a price that is not the saved one', async () => {
    const { tag } = await buildReadyInvoice(app, client.person);
    await change(tag, { fee_rate_bps: 1000, discount_fee: '90000', net_proceeds: '810000' });
    const msg = 'The fee or the amount to be received has changed. Check the figures and save again';
    expect(await readiness(tag)).toEqual({ success: false, missing: [msg] });
    await expectNotSubmitted(tag, 422, {
      code: 'QUOTE_MISMATCH',
      msg,
      fields: {
        'application.feeRatePercentage': msg,
        'application.feesCharged': msg,
        'application.amountReceived': msg,
      },
    });
  });
});

describe('a submission', () => {
  it('makes the application read-only, is recorded, and tells the client', async () => {
    const { tag, invoiceNumber } = await buildReadyInvoice(app, client.person);
    const { application_tag: applicationTag } = await rowOf(app, tag);
    const answer = await client.caller.post(`/applications/${applicationTag}/submit`, {});
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect((await client.caller.get(`/invoices/${tag}`)).body.discountApplication.status).toEqual({
      name: 'Submitted',
    });
    expect(await rowOf(app, tag)).toMatchObject({ submitted_at: app.clock.now(), submitted_by: client.person.id });
    expect(await eventsOf(app, tag)).toMatchObject([
      {
        action: 'application.submit',
        actor_tag: client.person.tag,
        before: { status: 'Draft' },
        after: { status: 'Submitted', faceValue: 100_000_000, application: { advance: 90_000_000 } },
      },
    ]);
    expect(await messagesTo(client.person.username)).toMatchObject([
      {
        channel: 'sms',
        subject: `Invoice ${invoiceNumber}: submitted`,
        body:
          `Kasente, invoice ${invoiceNumber}: You applied for UGX 900,000. ` +
          "You'll receive UGX 801,000. We'll decide by 16:00 today.",
      },
    ]);
    expect(await readiness(tag)).toEqual({ success: true, missing: [] });
  });

  it('goes by e-mail to a person who logs in with one', async () => {
    const username = `client-${randomUUID()}@kasente.test`;
    client = await buildClient(app, { username });
    const { tag } = await buildReadyInvoice(app, client.person);
    await client.caller.post(`/applications/${tag}/submit`);
    expect(await messagesTo(username)).toMatchObject([{ channel: 'email' }]);
  });

  it('works by GET in both readings, for a same-origin fetch alone', async () => {
    for (const path of [
      (tag: string) => `/applications/${tag}/submit`,
      (tag: string) => `/applications/submit/${tag}`,
    ]) {
      const { tag } = await buildReadyInvoice(app, client.person);
      const refused: readonly Record<string, string>[] = [
        { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
        { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-purpose': 'prefetch' },
      ];
      for (const headers of refused) {
        expect((await client.caller.get(path(tag), headers)).body.code).toBe('CROSS_SITE');
      }
      expect((await rowOf(app, tag)).status).toBe('Draft');
      expect((await client.caller.get(path(tag))).body).toEqual({ success: true });
      expect((await rowOf(app, tag)).status).toBe('Submitted');
    }
  });

  it('a second time answers success and changes nothing, even where it would no longer be ready', async () => {
    const { tag, buyerId } = await buildReadyInvoice(app, client.person);
    await client.caller.post(`/applications/${tag}/submit`);
    const [stored, events] = [await rowOf(app, tag), await eventsOf(app, tag)];
    await app.platform.db.updateTable('businesses').set({ active: false }).where('id', '=', buyerId).execute();
    app.clock.advance(60);
    for (const again of [
      await client.caller.post(`/applications/${tag}/submit`),
      await client.caller.get(`/applications/submit/${tag}`),
    ]) {
      expect([again.status, again.body]).toEqual([200, { success: true }]);
    }
    expect([await rowOf(app, tag), await eventsOf(app, tag)]).toEqual([stored, events]);
    expect(await messagesTo(client.person.username)).toHaveLength(1);
    expect(await readiness(tag)).toEqual({ success: true, missing: [] });
  });

  it('counts as the colleague’s who submits it, and both hear of it', async () => {
    const { tag } = await buildReadyInvoice(app, client.person);
    const colleague = await buildSignedIn(app, { perms: ['BIDA'], businessId: client.business.id });
    expect((await colleague.caller.post(`/applications/${tag}/submit`)).status).toBe(200);
    expect((await rowOf(app, tag)).submitted_by).toBe(colleague.person.id);
    expect(await messagesTo(colleague.person.username)).toHaveLength(1);
    expect(await messagesTo(client.person.username)).toHaveLength(1);
  });
});

describe('at the same time', () => {
  it('50 submissions are one: one event, one message, and success for everybody', async () => {
    const { tag } = await buildReadyInvoice(app, client.person);
    const ways = [
      { method: 'POST', url: `/applications/${tag}/submit` },
      { method: 'GET', url: `/applications/${tag}/submit` },
      { method: 'GET', url: `/applications/submit/${tag}` },
    ] as const;
    const fifty = Array.from({ length: 17 }, () => ways)
      .flat()
      .slice(0, 50);
    const answers = await Promise.all(fifty.map((way) => client.caller.call(way)));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(50).fill([200, { success: true }]));
    expect(await eventsOf(app, tag)).toHaveLength(1);
    expect(await messagesTo(client.person.username)).toHaveLength(1);
  });

  it('a save lands wholly before a submission or not at all', async () => {
    const landed = { before: 0, refused: 0 };
    for (let round = 0; round < 24; round += 1) {
      const { tag, invoiceNumber, buyerId } = await buildReadyInvoice(app, client.person);
      const save = () => postInvoice(client, invoiceForm(client, { tag, invoiceNumber, buyerId, amount: 2_000_000 }));
      const submit = () => client.caller.post(`/applications/${tag}/submit`);
      const [first, second] = await Promise.all(round % 2 === 0 ? [save(), submit()] : [submit(), save()]);
      const [saved, submitted] = round % 2 === 0 ? [first, second] : [second, first];
      expect(submitted.status).toBe(200);
      const { face_value: faceValue, version } = await rowOf(app, tag);
      const actions = (await eventsOf(app, tag)).map(({ action }) => action);
      if (saved.status === 200) {
        landed.before += 1;
        expect([faceValue, version, actions]).toEqual([200_000_000, 2, ['invoice.changed', 'application.submit']]);
      } else {
        landed.refused += 1;
        expect([saved.status, saved.body.code]).toEqual([409, 'NOT_EDITABLE']);
        expect([faceValue, version, actions]).toEqual([100_000_000, 1, ['application.submit']]);
      }
    }
    expect(landed.before + landed.refused).toBe(24);
  });

  it('an application’s save lands wholly before a submission or not at all', async () => {
    for (let round = 0; round < 24; round += 1) {
      const { tag } = await buildReadyInvoice(app, client.person);
      const { application_reference: reference } = await rowOf(app, tag);
      const half = { reference, amountAppliedFor: 450_000, feesCharged: 49_500, amountReceived: 400_500 };
      const save = () => postApplication(client, applicationForm(tag, half));
      const submit = () => client.caller.post(`/applications/${tag}/submit`);
      const [first, second] = await Promise.all(round % 2 === 0 ? [save(), submit()] : [submit(), save()]);
      const [saved, submitted] = round % 2 === 0 ? [first, second] : [second, first];
      expect(submitted.status).toBe(200);
      const events = await eventsOf(app, tag);
      const advance = saved.status === 200 ? 45_000_000 : 90_000_000;
      expect((await rowOf(app, tag)).advance).toBe(advance);
      expect(events.at(-1)).toMatchObject({ action: 'application.submit', after: { application: { advance } } });
      if (saved.status !== 200) expect([saved.status, saved.body.code]).toEqual([409, 'NOT_EDITABLE']);
    }
  });

  it('a deletion and a submission are one or the other', async () => {
    for (let round = 0; round < 12; round += 1) {
      const { tag } = await buildReadyInvoice(app, client.person);
      const remove = () => client.caller.call({ method: 'DELETE', url: `/invoices/${tag}` });
      const submit = () => client.caller.post(`/applications/${tag}/submit`);
      const [first, second] = await Promise.all(round % 2 === 0 ? [remove(), submit()] : [submit(), remove()]);
      const [removed, submitted] = round % 2 === 0 ? [first, second] : [second, first];
      const isThere = (await client.caller.get(`/invoices/${tag}`)).status === 200;
      expect([removed.status, submitted.status]).toEqual(isThere ? [409, 200] : [200, 404]);
    }
  });
});
