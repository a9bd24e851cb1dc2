import { createHash } from 'node:crypto';
import { expect, signIn, test } from '#e2e/support/fixtures.ts';
import { comparable, PAGE_HEADERS, scriptsWithoutDigest } from '#proof/headers/expected-headers.ts';

/** What a browser may do with our pages (docs/decisions/0022-browser-walls.md): the built pages, in a real browser. */

// One server serves all tests.
test.describe.configure({ mode: 'serial' });

test('the login page’s scripts and styles have their digest; the policy has the hash of the inline one', async ({
  page,
  kasente,
}) => {
  const answer = await page.goto('/login');
  const headers = answer?.headers() ?? {};
  const body = (await answer?.text()) ?? '';
  // TLS ends in front of Kasente: over https it sends HSTS too (proof/headers/headers.test.ts).
  const { 'strict-transport-security': _, ...overHttp } = PAGE_HEADERS;
  expect(comparable(headers)).toEqual(overHttp);
  // Until its script has loaded, a prerendered page has an inline one (docs/decisions/0023-first-screen.md).
  expect(scriptsWithoutDigest(body)).toEqual(['<script>']);
  const links = body.match(/<link\b[^>]*(stylesheet|modulepreload)[^>]*>/g) ?? [];
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((tag) => !tag.includes(' integrity="sha384-'))).toEqual([]);
  const [, within = ''] = /<script>(.*?)<\/script>/s.exec(body) ?? [];
  const hash = createHash('sha256').update(within).digest('base64');
  expect(headers['content-security-policy']).toContain(`;script-src 'self' 'sha256-${hash}';`);
  for (const path of ['/', '/login', '/signup', '/home', '/nowhere']) {
    const other = await page.request.get(path);
    expect(other.status(), path).toBe(200);
    expect(other.headers()['content-security-policy'], path).not.toMatch(/script-src[^;]*unsafe/);
    expect(await other.text(), path).not.toContain('__NONCE__');
  }
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
  expect(new URL(kasente.address).protocol).toBe('http:');
});

test.describe('a script that was altered in transit', () => {
  test.use({ provoked: [/integrity/] });

  test('is not run', async ({ page }) => {
    await page.route('**/assets/index-*.js', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: `${await answer.text()};document.title='altered'` });
    });
    const refused = page.waitForEvent('console', (message) => /integrity/.test(message.text()));
    await page.goto('/login');
    await refused;
    expect(await page.title()).not.toBe('altered');
  });
});

test.describe('an inline script and one of another origin', () => {
  test.use({ provoked: [/Content Security Policy/] });

  test('are refused, and the browser reports both', async ({ page, kasente }) => {
    await signIn(page, '0700000001', '/home');
    const reported = async (): Promise<number> => {
      const metrics = await (await fetch(`${kasente.address}/metrics`)).text();
      return Number(/kasente_csp_reports_total\{directive="script-src-elem"\} (\d+)/.exec(metrics)?.[1] ?? 0);
    };
    const before = await reported();
    await page.evaluate(() => {
      const inline = document.createElement('script');
      inline.textContent = "document.title = 'ran'";
      const foreign = document.createElement('script');
      foreign.src = 'https://elsewhere.example/x.js';
      document.body.append(inline, foreign);
    });
    expect(await page.title()).not.toBe('ran');
    await expect.poll(reported).toBeGreaterThanOrEqual(before + 2);
  });
});
