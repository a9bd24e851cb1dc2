import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildPerson, buildReadyInvoice, TEST_PASSWORD } from '#testing/builders.ts';
import { canaryFound, full, proved } from '#testing/evidence/record.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';
import {
  comparable,
  PDF_HEADERS,
  pageHeaders,
  REPLY_HEADERS,
  scriptsWithoutDigest,
  unnamed,
} from './expected-headers.ts';

/** Each response header of pages, replies and documents (docs/decisions/0022-browser-walls.md). */

/** Pages exist only after a build: `npm test` checks them in e2e/security/headers.spec.ts, `npm run prove` here. */
const built = full || existsSync(join(import.meta.dirname, '../../dist/web/index.html'));

const app = appOfFile({ PUBLIC_URL: 'https://localhost' });
let cookie: string;
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
  cookie = login.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
});

const PAGES = ['/', '/login', '/home', '/nowhere'];
const REPLIES = ['/api/v1/users/session', '/api/v1/sectors', '/api/v1/nowhere'];

function get(url: string) {
  return app.server.inject({ url, headers: { cookie } });
}

describe('the headers', () => {
  it.skipIf(!built)('of pages are those written out, and only the prerendered script is inline', async () => {
    const counts: number[] = [];
    for (const url of PAGES) {
      const { headers, body } = await get(url);
      const expected = pageHeaders(body);
      expect(comparable(headers), url).toEqual(expected);
      counts.push(Object.keys(expected).length);
      const policy = headers['content-security-policy'];
      expect([...unnamed('script', body, policy), ...unnamed('style', body, policy)], url).toEqual([]);
      expect(scriptsWithoutDigest(body), url).toEqual(body.includes('<script>') ? ['<script>'] : []);
      expect(body, url).not.toMatch(/\son\w+=/);
    }
    proved('headers', `${PAGES.length} pages: ${Math.min(...counts)} headers each`);
  });

  it('of replies are those written out', async () => {
    for (const url of REPLIES) expect(comparable((await get(url)).headers), url).toEqual(REPLY_HEADERS);
    proved('headers', `${REPLIES.length} replies of the API: ${Object.keys(REPLY_HEADERS).length} headers each`);
  });

  it('of a document are those written out', async () => {
    expect(comparable((await get(documentPath)).headers)).toEqual(PDF_HEADERS);
    proved('headers', `a document: ${Object.keys(PDF_HEADERS).length} headers`);
  });

  it('are one fewer without https: HSTS (canary)', async () => {
    const plain = await createTestApp();
    const { headers } = await plain.server.inject('/api/v1/sectors');
    await plain.close();
    expect(comparable(headers)).not.toEqual(REPLY_HEADERS);
    const { 'strict-transport-security': _, ...others } = REPLY_HEADERS;
    expect(comparable(headers)).toEqual(others);
    canaryFound('headers', 'a server without https was found to lack HSTS');
  });
});

it.skipIf(!built)('a script without its digest is found (canary)', async () => {
  const { body } = await app.server.inject('/login');
  const bare = body.replaceAll(/ integrity="[^"]+"/g, '');
  expect(scriptsWithoutDigest(bare).length).toBeGreaterThan(scriptsWithoutDigest(body).length);
  canaryFound('headers', 'a script without its digest was found');
});
