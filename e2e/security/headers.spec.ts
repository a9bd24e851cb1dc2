import { expect, signIn, test } from '#e2e/support/fixtures.ts';
import { comparable, pageHeaders, scriptsWithoutDigest, unnamed } from '#proof/headers/expected-headers.ts';

/** What a browser may do with our pages (docs/decisions/0022-browser-walls.md): the built pages, in a real browser. */

// One server serves all tests.
test.describe.configure({ mode: 'serial' });

test('the login page’s scripts and styles have their digest; the policy has the hashes of the inline ones', async ({
  page,
  kasente,
}) => {
  const answer = await page.goto('/login');
  const headers = answer?.headers() ?? {};
  const body = (await answer?.text()) ?? '';
  // TLS ends in front of Kasente: over https it sends HSTS too (proof/headers/headers.test.ts).
  const { 'strict-transport-security': _, ...overHttp } = pageHeaders(body);
  expect(comparable(headers)).toEqual(overHttp);
  // Until its script has loaded, a prerendered page has an inline one (docs/decisions/0023-first-screen.md).
  expect(scriptsWithoutDigest(body)).toEqual(['<script>']);
  const links = body.match(/<link\b[^>]*(stylesheet|modulepreload)[^>]*>/g) ?? [];
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((tag) => !tag.includes(' integrity="sha384-'))).toEqual([]);
  for (const path of ['/', '/login', '/signup', '/home', '/nowhere']) {
    const other = await page.request.get(path);
    expect(other.status(), path).toBe(200);
    const policy = other.headers()['content-security-policy'];
    expect(policy, path).not.toMatch(/(script-src|style-src|style-src-elem) [^;]*unsafe/);
    const html = await other.text();
    expect([...unnamed('script', html, policy), ...unnamed('style', html, policy)], path).toEqual([]);
  }
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
  expect(new URL(kasente.address).protocol).toBe('http:');
});

test('every style that the application writes into a page is one that the policy names', async ({ page }) => {
  for (const [username, dashboard] of [
    ['0700000001', /NT-2026-042/],
    ['staff@kasente.test', /JAS 124/],
  ] as const) {
    await signIn(page, username);
    const answer = await page.goto('/home');
    const policy = answer?.headers()['content-security-policy'];
    await expect(page.getByText(dashboard).first()).toBeVisible();
    await page.getByRole('link', { name: 'Log Out' }).click();
    await expect(page.getByRole('dialog').or(page.getByRole('heading', { level: 1, name: 'Login' }))).toBeVisible();
    const written = await page
      .locator('style')
      .evaluateAll((styles) => styles.map((style) => `<style>${style.textContent}</style>`).join(''));
    expect(written).toContain('--mantine-primary-color');
    expect(unnamed('style', written, policy), username).toEqual([]);
  }
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

test.describe('an inline script, one of another origin and an inline style', () => {
  test.use({ provoked: [/Content Security Policy/] });

  test('are refused, and the browser reports each', async ({ page, kasente }) => {
    await signIn(page, '0700000001', '/home');
    const reported = async (): Promise<number> => {
      const metrics = await (await fetch(`${kasente.address}/metrics`)).text();
      const counts = metrics.matchAll(/kasente_csp_reports_total\{directive="(?:script|style)-src-elem"\} (\d+)/g);
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const before = await reported();
    await page.evaluate(() => {
      const inline = document.createElement('script');
      inline.textContent = "document.title = 'ran'";
      const foreign = document.createElement('script');
      foreign.src = 'https://elsewhere.example/x.js';
      const style = document.createElement('style');
      style.textContent = 'h1 { display: none }';
      document.body.append(inline, foreign, style);
    });
    expect(await page.title()).not.toBe('ran');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect.poll(reported).toBeGreaterThanOrEqual(before + 3);
  });
});
