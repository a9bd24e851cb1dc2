import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildReadyInvoice, buildSignedIn } from '#testing/builders.ts';
import { type Answer, appOfFile, type TestCaller } from '#testing/test-app.ts';
import { applicationForm, buildClient, type Client, eventsOf, invoiceForm, rowOf } from './invoices.harness.ts';

/** The replies for another client's invoice are the same as for an invoice that doesn't exist. */

const app = appOfFile();
let owner: Client;
let stranger: Client;
beforeAll(async () => {
  owner = await buildClient(app);
  stranger = await buildClient(app);
});

type Attempt = (caller: TestCaller, tag: string) => Promise<Answer>;

const reading: readonly (readonly [string, Attempt])[] = [
  ['GET /invoices/{tag}', (caller, tag) => caller.get(`/invoices/${tag}`)],
  ['GET /invoices/{tag}/validate_submission', (caller, tag) => caller.get(`/invoices/${tag}/validate_submission`)],
  [
    'GET /applications/submit-ready-check/{tag}',
    (caller, tag) => caller.get(`/applications/submit-ready-check/${tag}`),
  ],
];

const changing: readonly (readonly [string, Attempt])[] = [
  [
    'POST /invoices, an invoice',
    (caller, tag) => caller.post('/invoices', { invoice: { ...invoiceForm(stranger), businessTag: '', tag } }),
  ],
  ['POST /invoices, an application', (caller, tag) => caller.post('/invoices', { application: applicationForm(tag) })],
  ['POST /invoices/edit', (caller, tag) => caller.post('/invoices/edit', { application: applicationForm(tag) })],
  ['POST /applications/validate', (caller, tag) => caller.post('/applications/validate', applicationForm(tag))],
  ['POST /applications/{tag}/submit', (caller, tag) => caller.post(`/applications/${tag}/submit`)],
  ['GET /applications/{tag}/submit', (caller, tag) => caller.get(`/applications/${tag}/submit`)],
  ['GET /applications/submit/{tag}', (caller, tag) => caller.get(`/applications/submit/${tag}`)],
  ['DELETE /invoices/{tag}', (caller, tag) => caller.call({ method: 'DELETE', url: `/invoices/${tag}` })],
];

const notFound = { success: false, code: 'NOT_FOUND', msg: 'Not found' };

describe.each([...reading, ...changing])('%s', (_name, attempt) => {
  it('does not know another client’s invoice, by either tag, nor an absent one', async () => {
    const { tag } = await buildReadyInvoice(app, owner.person);
    const stored = await rowOf(app, tag);
    for (const asked of [tag, stored.application_tag ?? '', randomUUID()]) {
      const answer = await attempt(stranger.caller, asked);
      expect([answer.status, answer.body]).toEqual([404, notFound]);
    }
    expect(await rowOf(app, tag)).toEqual(stored);
    expect(await eventsOf(app, tag)).toEqual([]);
  });
});

describe.each(changing)('%s', (_name, attempt) => {
  it('is refused to staff, whose invoices are read-only', async () => {
    const { tag } = await buildReadyInvoice(app, owner.person);
    const stored = await rowOf(app, tag);
    for (const perms of [['KSTAF'], ['KADMIN'], ['KADMIN', 'BIDA']] as const) {
      const { caller } = await buildSignedIn(app, { perms: [...perms], businessId: owner.business.id });
      const answer = await attempt(caller, tag);
      expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
    }
    expect(await rowOf(app, tag)).toEqual(stored);
  });
});

describe.each(reading)('%s', (_name, attempt) => {
  it('is open to staff, by either tag, and 404 for a malformed one', async () => {
    const { tag } = await buildReadyInvoice(app, owner.person);
    const { application_tag: applicationTag } = await rowOf(app, tag);
    const { caller } = await buildSignedIn(app, { perms: ['KSTAF'] });
    const answers = [await attempt(caller, tag), await attempt(caller, applicationTag ?? '')];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect((await attempt(caller, 'INV-1')).body).toEqual(notFound);
  });
});

describe('POST /guid', () => {
  it('hands out a new reference each time, in both readings', async () => {
    const { caller } = await buildSignedIn(app);
    const answers = [await caller.post('/guid'), await caller.post('/options/guid', {}), await caller.post('/guid')];
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).toEqual({
        guid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      });
    }
    expect(new Set(answers.map(({ body }) => body.guid)).size).toBe(3);
    expect((await app.visitor().post('/guid')).status).toBe(401);
  });
});
