import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { buildBusiness, buildReadyInvoice } from '#testing/builders.ts';
import { buildCaseClient, type CaseClient, succeed } from '#testing/case-builders.ts';
import { type Answer, createTestApp, type TestApp } from '#testing/test-app.ts';

/** An application that is withdrawn and then submitted again. */

const PAUSE_S = 10 * 60;
let app: TestApp;
let client: CaseClient;
let buyerId: number;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  client = await buildCaseClient(app);
  ({ id: buyerId } = await buildBusiness(app, { kind: 'buyer' }));
});

const ready = (given: { invoiceNumber?: string; buyerId?: number } = {}, owner = client, on = app) =>
  buildReadyInvoice(on, owner.person, { invoiceNumber: 'INV 42/A', buyerId, ...given });
const submit = ({ tag }: { tag: string }, by = client): Promise<Answer> =>
  by.caller.post(`/applications/${tag}/submit`);

async function submitAndWithdraw(): Promise<void> {
  const invoice = await ready();
  await succeed(submit(invoice));
  await succeed(client.caller.post(`/applications/${invoice.tag}/withdraw`));
}

describe('an application that was withdrawn', () => {
  it('is submitted again ten minutes later, and a refusal says how long to wait', async () => {
    await submitAndWithdraw();
    const again = await ready();
    app.clock.advance(120);
    const { status, body, headers } = await submit(again);
    expect([status, body]).toEqual([
      429,
      {
        success: false,
        msg: 'You just withdrew this application. Try again in 8 minutes',
        code: 'SUBMITTED_TOO_SOON',
      },
    ]);
    expect(headers['retry-after']).toBe(String(PAUSE_S - 120));
    const row = app.platform.db.selectFrom('invoices').where('tag', '=', again.tag).select('status');
    expect(await row.executeTakeFirst()).toEqual({ status: 'Draft' });
    app.clock.advance(PAUSE_S - 121);
    expect((await submit(again)).status).toBe(429);
    app.clock.advance(1);
    expect((await submit(again)).status).toBe(200);
  });

  it('waits in the readiness check and on the form too, so that nobody uploads documents first', async () => {
    await submitAndWithdraw();
    const again = await ready();
    app.clock.advance(120);
    const missing = ['You just withdrew this application. Submit it again in 8 minutes'];
    const check = () => client.caller.get(`/invoices/${again.tag}/validate_submission`);
    const form = () => client.caller.get(`/applications/requirements?tag=${again.tag}`);
    expect((await check()).body).toEqual({ success: false, missing });
    const { pausedUntil } = (await form()).body;
    expect(Date.parse(pausedUntil) - app.clock.now().getTime()).toBe((PAUSE_S - 120) * 1000);
    app.clock.advance(PAUSE_S - 120);
    expect((await check()).body).toEqual({ success: true, missing: [] });
    expect((await submit(again)).status).toBe(200);
    const foreign = (await buildCaseClient(app)).caller.get(`/applications/requirements?tag=${again.tag}`);
    expect((await foreign).status).toBe(404);
  });

  it('waits under a number that only looks different', async () => {
    await submitAndWithdraw();
    expect((await submit(await ready({ invoiceNumber: 'inv-42-a' }))).body.code).toBe('SUBMITTED_TOO_SOON');
  });

  it('holds up no other number, buyer or client', async () => {
    await submitAndWithdraw();
    expect((await submit(await ready({ invoiceNumber: 'INV 43' }))).status).toBe(200);
    const { id } = await buildBusiness(app, { kind: 'buyer' });
    expect((await submit(await ready({ buyerId: id }))).status).toBe(200);
    const other = await buildCaseClient(app);
    expect((await submit(await ready({}, other), other)).status).toBe(200);
  });

  it('waits as long as the setting says, which may be not at all', async () => {
    const outer = [app, client, buyerId] as const;
    onTestFinished(() => {
      [app, client, buyerId] = outer;
    });
    app = await createTestApp({ RESUBMIT_PAUSE_MINUTES: '0' });
    const { close } = app;
    onTestFinished(() => close());
    client = await buildCaseClient(app);
    ({ id: buyerId } = await buildBusiness(app, { kind: 'buyer' }));
    await submitAndWithdraw();
    expect((await submit(await ready())).status).toBe(200);
  });
});
