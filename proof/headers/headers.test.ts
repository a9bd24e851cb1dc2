import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readPages } from '#server/responses/pages.ts';
import { buildPerson, buildReadyInvoice, TEST_PASSWORD } from '#testing/builders.ts';
import { canaryFound, full, proved } from '#testing/evidence/record.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';
import { observatoryScore, readPolicy, type SeenAnswer, type SeenCookie, scriptTags } from './observatory.ts';
import { scanWithPublishedObservatory } from './published-observatory.harness.ts';

/** The response headers that restrict a browser (docs/decisions/0022-browser-walls.md), measured by HTTP Observatory. */

const GOAL = 135;

/** The digest of the one inline script of the prerendered pages (docs/decisions/0023-first-screen.md). */
const OWN_SCRIPT = await ownScript();

async function ownScript(): Promise<string | undefined> {
  const { scripts } = await readPages({ email: null, phone: null });
  expect(scripts.length).toBeLessThanOrEqual(1);
  return scripts[0]?.toLowerCase();
}
/** Without a build there is no page: `npm test` checks it in e2e/security/headers.spec.ts, `npm run prove` here. */
const built = full || existsSync(join(import.meta.dirname, '../../dist/web/index.html'));

const app = appOfFile({ PUBLIC_URL: 'https://localhost' });
let signedIn: { readonly header: string; readonly kept: readonly SeenCookie[] };
let documentPath: string;

beforeAll(async () => {
  const { id, username } = await buildPerson(app, { perms: ['BIDA'] });
  const { business_id: businessId } = await app.platform.db
    .selectFrom('persons')
    .select('business_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { documentTag } = await buildReadyInvoice(app, { id, businessId: businessId ?? 0 });
  documentPath = `/api/v1/files/view/${documentTag}`;
  const login = await app.server.inject({
    method: 'POST',
    url: '/api/v1/users/login',
    payload: { username, password: TEST_PASSWORD },
  });
  signedIn = {
    header: login.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    kept: login.cookies.map(({ name, secure, httpOnly, sameSite }) => ({
      name,
      secure: secure === true,
      httpOnly: httpOnly === true,
      sameSite,
    })),
  };
});

async function see(url: string, as: 'visitor' | 'client'): Promise<SeenAnswer> {
  const cookie = as === 'client' ? { cookie: signedIn.header } : {};
  const { statusCode, headers, body } = await app.server.inject({ url, headers: cookie });
  expect([url, statusCode]).toEqual([url, 200]);
  const texts = Object.entries(headers).map(([name, value]) => [name, value === undefined ? value : String(value)]);
  return { headers: Object.fromEntries(texts), body, cookies: as === 'client' ? signedIn.kept : [] };
}

/** The answers to score. */
function scored(): readonly (readonly [what: string, path: string, as: 'visitor' | 'client'])[] {
  const pages = [
    ['the login page', '/login', 'visitor'],
    ['the application’s page', '/home', 'client'],
  ] as const;
  const answers = [
    ['an answer of the API', '/api/v1/users/session', 'client'],
    ['a document', documentPath, 'client'],
  ] as const;
  return built ? [...pages, ...answers] : answers;
}

function without(answer: SeenAnswer, header: string): SeenAnswer {
  return { ...answer, headers: { ...answer.headers, [header]: undefined } };
}

describe('HTTP Observatory', () => {
  it('finds each missing header, and an unsafe cookie (canary)', async () => {
    const whole = await see('/api/v1/users/session', 'client');
    const worth = [
      'content-security-policy',
      'x-content-type-options',
      'referrer-policy',
      'cross-origin-resource-policy',
      'strict-transport-security',
    ];
    for (const header of worth)
      expect([header, observatoryScore(without(whole, header)).score < GOAL]).toEqual([header, true]);
    const [cookie] = whole.cookies;
    expect(cookie).toBeDefined();
    for (const fault of [{ secure: false }, { httpOnly: false }, { sameSite: undefined }])
      expect(
        observatoryScore({ ...whole, cookies: whole.cookies.map((kept) => ({ ...kept, ...fault })) }).score,
      ).toBeLessThan(GOAL);
    const inline = `${whole.headers['content-security-policy']};script-src 'unsafe-inline'`;
    expect(
      observatoryScore({ ...whole, headers: { ...whole.headers, 'content-security-policy': inline } }).score,
    ).toBeLessThan(GOAL);
    canaryFound(
      'headers',
      `${worth.length} headers taken away one by one, an unsafe cookie and inline script each fell below ${GOAL}`,
    );
  });

  it.skipIf(!built)('finds a script without its digest (canary)', async () => {
    const page = await see('/login', 'visitor');
    const bare = { ...page, body: page.body.replaceAll(/ integrity="[^"]+"/g, '') };
    expect(observatoryScore(bare).score).toBeLessThan(GOAL);
    canaryFound('headers', `a script without its digest fell below ${GOAL}`);
  });

  it('gives each kind of answer 135 or more', async () => {
    const scores: string[] = [];
    for (const [what, path, as] of scored()) {
      const { score, tests } = observatoryScore(await see(path, as));
      expect(score, `${what}: ${JSON.stringify(tests)}`).toBeGreaterThanOrEqual(GOAL);
      scores.push(`${what} ${score}`);
    }
    proved('headers', scores.join(', '));
  });

  it.runIf(full)('gives the same scores as the published scanner', async () => {
    const ways = await Promise.all(
      scored().map(async ([what, path, as]) => ({ what, path, as, ours: observatoryScore(await see(path, as)) })),
    );
    const theirs = await scanWithPublishedObservatory(app, signedIn.header, ways);
    expect(theirs.map(({ score }) => score)).toEqual(ways.map(({ ours }) => ours.score));
    for (const { tests } of theirs) expect(Object.keys(tests)).toHaveLength(10);
    proved(
      'headers',
      `the published scanner gives the same ${theirs.length} scores: ${theirs.map(({ score }) => score).join(', ')}`,
    );
  });
});

describe('the policy', () => {
  it('allows no inline script except the prerendered pages’ own, no eval and no foreign script, on any kind of answer', async () => {
    for (const [what, path, as] of scored()) {
      const { headers, body } = await see(path, as);
      const policy = readPolicy(headers['content-security-policy']);
      const scripts = policy.get('script-src') ?? policy.get('default-src') ?? [];
      const allowed = scripts.filter(
        (source) => !["'self'", "'none'", OWN_SCRIPT].includes(source) && !source.startsWith("'nonce-"),
      );
      expect([what, allowed]).toEqual([what, []]);
      if (headers['content-type']?.startsWith('text/html') !== true) continue;
      const within = scriptTags(body).filter((tag) => !/\ssrc="\/assets\//.test(tag));
      expect(within).toEqual(within.length === 0 ? [] : ['<script>']);
      expect(body).not.toMatch(/\son\w+=/);
    }
  });

  it.skipIf(!built)('isolates a page’s windows, resources, features and referrers from other origins', async () => {
    const { headers } = await see('/login', 'visitor');
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'origin-agent-cluster': '?1',
      'referrer-policy': 'same-origin',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
    });
    expect(headers['permissions-policy']).toMatch(/camera=\(\).*geolocation=\(\).*microphone=\(\).*payment=\(\)/);
    const policy = readPolicy(headers['content-security-policy']);
    expect(policy.get('report-uri')).toEqual(['/api/v1/csp_reports']);
  });

  it('forbids everything to an answer that is not a page', async () => {
    const { headers } = await see('/api/v1/sectors', 'visitor');
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });

  it('sends HSTS only if PUBLIC_URL is https', async () => {
    const plain = await createTestApp();
    const { headers } = await plain.server.inject('/api/v1/sectors');
    expect(headers['strict-transport-security']).toBeUndefined();
    await plain.close();
  });
});
