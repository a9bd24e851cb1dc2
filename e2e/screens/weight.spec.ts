import { readFile } from 'node:fs/promises';
import type { Page, Response } from '@playwright/test';
import { expect, logIn, PHONE, signIn, test } from '#e2e/support/fixtures.ts';

/** A phone loads only the files that it opens, and each once (docs/decisions/0023-first-screen.md). */

const BUILD = 'dist/web';

/** A script or style by its name without the hash. */
const ASSET = /\/assets\/([^"/]+)-[\w-]{8}\.(js|css)\b/g;

/** The assets that a page requests from now on, by name without the hash. */
function assetsOf(page: Page): { readonly names: Set<string>; readonly responses: Response[] } {
  const names = new Set<string>();
  const responses: Response[] = [];
  page.on('response', (response) => {
    for (const [, name, kind] of new URL(response.url()).pathname.matchAll(ASSET)) names.add(`${name}.${kind}`);
    if (response.url().includes('/assets/')) responses.push(response);
  });
  return { names, responses };
}

/**
 * Scripts that a person must not get before they open what needs them: other people's screens, the date picker, the
 * charts.
 */
const SIGNED_IN = ['shared.js', 'client.js', 'application.js'];
const STAFF = ['staff.js', 'clients-page.js'];
/** Needed only by forms, and by screens that make requests. */
const FORMS = 'forms.js';
const QUERIES = 'queries.js';
const DATE_PICKER = 'calendar-input.js';
const CHARTS = 'period-chart.js';

function without(names: ReadonlySet<string>, unwanted: readonly string[]): void {
  expect(unwanted.filter((name) => names.has(name))).toEqual([]);
}

test('the login screen needs five files, all linked by the page, and loads no other screen', async ({ page }) => {
  const { names } = assetsOf(page);
  const opened = await page.goto('/login');
  const named = [...((await opened?.text()) ?? '').matchAll(ASSET)].map(([, name, kind]) => `${name}.${kind}`);
  expect(named.sort()).toEqual(['index.css', 'index.js', 'libraries.css', 'libraries.js', 'rolldown-runtime.js']);
  await page.waitForLoadState('networkidle');
  expect(names).toContain('index.js');
  without(names, [...SIGNED_IN, ...STAFF, FORMS, QUERIES, DATE_PICKER, CHARTS, 'signup.js']);
});

test('charts and date picker load when a client opens them, the application screen earlier, and no staff code', async ({
  page,
}) => {
  await page.setViewportSize(PHONE);
  const { names } = assetsOf(page);
  await logIn(page, '0700000001');
  await expect(page.getByRole('heading', { name: 'My Applications' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(names).toContain('client.js');
  // The client's next screen is loaded before they open it.
  await expect.poll(() => [...names]).toContain('application.js');
  without(names, [...STAFF, DATE_PICKER, CHARTS]);

  await page.getByRole('heading', { name: 'Your money' }).scrollIntoViewIfNeeded();
  await expect.poll(() => [...names]).toContain(CHARTS);
  await page.getByRole('link', { name: 'Apply Now' }).click();
  await expect.poll(() => [...names]).toContain(DATE_PICKER);
  without(names, STAFF);
});

test('staff load their own dashboard, and no application screen', async ({ page }) => {
  const { names } = assetsOf(page);
  // Not with a click: the pointer could rest on a link, whose screen would then be prefetched.
  await signIn(page, 'staff@kasente.test', '/home');
  await expect(page.getByRole('heading', { name: 'All Applications' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(names).toContain('staff.js');
  without(names, ['application.js', 'clients-page.js', DATE_PICKER]);
});

test('every script and style is sent as brotli and cached forever; the page that links them is not cached', async ({
  page,
}) => {
  const { responses } = assetsOf(page);
  const opened = await page.goto('/login');
  expect(await opened?.headerValue('cache-control')).toBe('no-store');
  await logIn(page, '0700000001');
  await page.waitForLoadState('networkidle');
  expect(responses.length).toBeGreaterThan(10);
  for (const response of responses) {
    const headers = await response.allHeaders();
    expect(headers, response.url()).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  }
});

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

test("no script uses a class of Mantine's whose styles do not come with it", async () => {
  const chunks: Readonly<Record<string, Chunk>> = JSON.parse(await readFile(`${BUILD}/.vite/manifest.json`, 'utf8'));
  const stylesWith = (key: string): string[] => {
    const { css = [], imports = [] } = chunks[key] ?? {};
    return [...css, ...imports.flatMap(stylesWith)];
  };
  const read = (file: string): Promise<string> => readFile(`${BUILD}/${file}`, 'utf8');
  const whole = await Promise.all(
    ['core', 'dates', 'charts', 'notifications'].map((name) =>
      readFile(`node_modules/@mantine/${name}/styles.css`, 'utf8'),
    ),
  );
  const styled = classesIn(whole.join('\n'));
  const unstyled: string[] = [];
  let checked = 0;
  for (const [key, { file }] of Object.entries(chunks)) {
    const styles = await Promise.all([...new Set(['index.html', key].flatMap(stylesWith))].map(read));
    const there = classesIn(styles.join('\n'));
    for (const name of file.endsWith('.js') ? classesIn(await read(file)) : []) {
      checked += 1;
      if (styled.has(name) && !there.has(name)) unstyled.push(`${file}: ${name}`);
    }
  }
  expect(unstyled).toEqual([]);
  expect(checked).toBeGreaterThan(100);
});

/** Mantine's class names: `m_` and a hash. */
function classesIn(text: string): Set<string> {
  return new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));
}
