import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';
import { buildPerson, buildReadyInvoice, buildSignedIn, TEST_PASSWORD } from '#testing/builders.ts';
import { appOfFile, type TestCaller } from '#testing/test-app.ts';

/**
 * Everything before the handlers: which callers are allowed from where, the order of refusals, the limits of a body.
 */

const app = appOfFile({ PUBLIC_URL: 'https://kasente.example' });

/** Headers for a call. '' removes one of the test caller's own headers. */
const none = { 'sec-fetch-site': '', 'sec-fetch-mode': '', 'sec-fetch-dest': '' };

async function answer(caller: TestCaller, method: Endpoint['method'], url: string, headers: Record<string, string>) {
  const { status, body } = await caller.call({ method, url, headers });
  return { status, code: body.code };
}

const crossSite = { status: 403, code: 'CROSS_SITE' };

const changing = Object.values<Endpoint>(endpoints)
  .filter((endpoint) => endpoint.changes)
  .flatMap((endpoint) => [endpoint, ...(endpoint.aliases ?? [])])
  .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, randomUUID()) }));

describe('another site', () => {
  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling of the site', { 'sec-fetch-site': 'same-site' }],
    [
      'an address typed or a link followed',
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ],
    ['a link or form of its own', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }],
    ['an image tag', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['an iframe', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
    ['a prefetch', { 'sec-purpose': 'prefetch' }],
    ['an old browser on another site', { ...none, origin: 'https://evil.example' }],
    ['a page without an origin', { ...none, origin: 'null' }],
  ])('%s changes nothing by any call', async (_, headers) => {
    for (const { method, path } of changing) {
      expect(await answer(app.visitor(), method, path, headers), `${method} ${path}`).toEqual(crossSite);
    }
  });

  it('is distinguished from Kasente itself by Sec-Fetch or Origin, also behind PUBLIC_URL', async () => {
    for (const headers of [
      {},
      { ...none, origin: 'http://localhost:80' },
      { ...none, origin: 'https://kasente.example', host: 'internal:3000' },
      none,
    ]) {
      const { status } = await answer(app.visitor(), 'POST', '/users/logout', headers);
      expect(status, JSON.stringify(headers)).toBe(200);
    }
  });

  it('is assumed for a changing GET without any of these headers, unless it has X-Requested-With', async () => {
    expect(await answer(app.visitor(), 'GET', '/users/logout', none)).toEqual(crossSite);
    expect((await answer(app.visitor(), 'GET', '/users/logout', { ...none, 'x-requested-with': 'fetch' })).status).toBe(
      200,
    );
  });

  it('can neither log anybody out nor submit anything by a GET', async () => {
    const { caller, person } = await buildSignedIn(app, { perms: ['BIDA'] });
    const { business_id: businessId } = await app.platform.db
      .selectFrom('persons')
      .select('business_id')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
    const { tag } = await buildReadyInvoice(app, { id: person.id, businessId: businessId ?? 0 });
    const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
    for (const path of ['/users/logout', `/applications/${tag}/submit`, `/applications/submit/${tag}`]) {
      expect(await answer(caller, 'GET', path, image)).toEqual(crossSite);
    }
    expect((await caller.get(`/invoices/${tag}`)).body.discountApplication.status.name).toBe('Draft');
    expect((await caller.call({ method: 'HEAD', url: `/applications/${tag}/submit` })).status).toBe(404);
    expect((await caller.get(`/applications/submit/${tag}`)).status).toBe(200);
    expect((await caller.get(`/invoices/${tag}`)).body.discountApplication.status.name).toBe('Submitted');
  });
});

describe('refusals', () => {
  const foreign = { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' };
  const nonsense = JSON.stringify({ nonsense: true });

  it('come in order: route, other site, no session, no permission, bad body, missing row', async () => {
    const { caller: nobody } = await buildSignedIn(app, { status: 'Verified' });
    const { caller: client } = await buildSignedIn(app, { perms: ['BIDA'] });
    const invoice = {
      tag: randomUUID(),
      invoiceNumber: 'INV-1',
      date: '2026-11-20',
      currencyId: 1,
      buyerId: 1,
      amount: 1,
    };
    const post = async (caller: TestCaller, url: string, body: string, headers: Record<string, string> = {}) => {
      const { status } = await caller.call({
        method: 'POST',
        url,
        payload: body,
        headers: { 'content-type': 'application/json', ...headers },
      });
      return status;
    };
    expect(await post(app.visitor(), '/no/such/route', nonsense, foreign)).toBe(404);
    expect(await post(app.visitor(), '/invoices', nonsense, foreign)).toBe(403);
    expect(await post(app.visitor(), '/invoices', nonsense)).toBe(401);
    expect(await post(nobody, '/invoices', nonsense)).toBe(403);
    expect(await post(client, '/invoices', nonsense)).toBe(400);
    expect(await post(client, '/invoices', JSON.stringify({ invoice }))).toBe(404);
  });
});

describe('a body', () => {
  it('gets each wrong and each unknown field reported by its path', async () => {
    const { caller } = await buildSignedIn(app, { perms: ['BIDA'] });
    const { status, body } = await caller.post('/invoices', {
      invoice: { invoiceNumber: 'x', date: 'today', currencyId: 0, buyerId: '', amount: 0, isAdmin: true },
    });
    expect(status).toBe(400);
    expect(body).toEqual({
      success: false,
      code: 'BAD_REQUEST',
      msg: 'Some fields need correcting',
      fields: {
        'invoice.invoiceNumber': 'Provide an invoice number',
        'invoice.date': 'Provide the invoice date',
        'invoice.currencyId': 'Select currency',
        'invoice.buyerId': 'Select buyer',
        'invoice.amount': 'Amount is required',
        'invoice.isAdmin': 'This field is not known',
      },
    });
  });

  it.each([
    ['text', 'text/plain', 'hello', 415, 'MEDIA_TYPE'],
    ['a form', 'application/x-www-form-urlencoded', 'username=a', 415, 'MEDIA_TYPE'],
    ['broken JSON', 'application/json', '{"username":', 400, 'MALFORMED'],
    ['a poisoned prototype', 'application/json', '{"__proto__":{"isAdmin":true}}', 400, 'MALFORMED'],
    ['no object', 'application/json', '[]', 400, 'BAD_REQUEST'],
    [
      'too much',
      'application/json',
      JSON.stringify({ username: 'x'.repeat(70_000), password: '' }),
      413,
      'BODY_TOO_LARGE',
    ],
  ])('is refused if it is %s', async (_, type, payload, status, code) => {
    const { status: found, body } = await app
      .visitor()
      .call({ method: 'POST', url: '/users/login', payload, headers: { 'content-type': type } });
    expect({ found, code: body.code }).toEqual({ found: status, code });
  });

  it('may be missing or {} if a call needs none', async () => {
    const { username } = await buildPerson(app);
    for (const body of [undefined, {}]) {
      const caller = app.visitor();
      await caller.post('/users/login', { username, password: TEST_PASSWORD });
      expect((await caller.post('/guid', body)).status).toBe(200);
      expect((await caller.post('/users/logout', body)).status).toBe(200);
      expect((await caller.get('/users/session')).status).toBe(401);
    }
  });
});

describe('a malformed path', () => {
  it.each([
    ['/%', 400, 'MALFORMED', 'The request could not be read'],
    ['/%d8', 400, 'MALFORMED', 'The request could not be read'],
    [`/invoices/${'x'.repeat(501)}`, 404, 'NOT_FOUND', 'Not found'],
  ])(
    '%s is refused like any other request, with the headers that keep a browser careful',
    async (path, ...expected) => {
      const { status, body, headers } = await app.visitor().get(path);
      expect([status, body]).toEqual([expected[0], { success: false, code: expected[1], msg: expected[2] }]);
      expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
    },
  );
});

describe('every reply', () => {
  it('has the headers that restrict browsers', async () => {
    const { headers } = await app.visitor().get('/sectors');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  });

  it.each(['GET', 'POST', 'OPTIONS'] as const)('can’t be read by another origin: %s', async (method) => {
    const asked = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const { headers } = await app.visitor().call({ method, url: '/users/login', headers: asked });
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});
