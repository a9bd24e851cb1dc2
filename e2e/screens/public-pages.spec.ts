import { expectAccessible, expectAccessibleLooks, expectNoSidewaysScrolling } from '#e2e/support/accessible.ts';
import { expect, logIn, newPhone, PHONE, signIn, test } from '#e2e/support/fixtures.ts';
import { fillSignUp } from '#e2e/support/forms.ts';

/**
 * The policies, the agreement and the about page (docs/specification-coverage.md, 1, 2 and 9), and the notice of a lost
 * connection.
 */

const pages = [
  { path: '/privacy-policy', title: 'Privacy Policy', updated: 'June 25, 2025', sections: 9 },
  { path: '/cookie-policy', title: 'Cookie Policy', updated: 'June 25, 2025', sections: 6 },
  { path: '/user-agreement', title: 'User Agreement', updated: 'June 25, 2025', sections: 7 },
  { path: '/about-us', title: 'About Us', updated: 'August 18, 2025' },
  { path: '/about-kasente', title: 'About Us', updated: 'August 18, 2025' },
] as const;

/** Includes the clients' help. */
const everyPage = [...pages, { path: '/help', title: 'Help' }] as const;

for (const { path, title, ...expected } of pages) {
  test(`${path} has its title, its sections and a way back`, async ({ page }) => {
    await page.goto(path);
    await expect(page).toHaveTitle(`${title} | Kasente`);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByText(`Last updated ${expected.updated}`)).toBeVisible();
    if (path !== '/cookie-policy') {
      await expect(page.getByText('Version of November 28, 2026')).toBeVisible();
      await page.getByRole('link', { name: 'Earlier version' }).click();
      await expect(page.getByText(`Last updated ${expected.updated}`)).toBeVisible();
      await expect(page.getByText('Version of November 28, 2026')).toHaveCount(0);
      await page.getByRole('link', { name: 'Read the one in force' }).first().click();
      await expect(page.getByText('Version of November 28, 2026')).toBeVisible();
    }
    if ('sections' in expected) {
      const headings = page.getByRole('main').getByRole('heading', { level: 2 });
      await expect(headings).toHaveCount(expected.sections);
      const anchors = page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
      await expect(anchors).toHaveCount(expected.sections);
      await anchors.last().click();
      await expect(headings.last()).toBeInViewport();
      expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
    }
    await page.getByRole('link', { name: 'Back', exact: true }).click();
    await expect(page).toHaveURL(/\/signup$/);
    await expect(page.getByRole('heading', { name: 'Join Kasente' })).toBeVisible();
  });
}

test('the privacy policy states the minimum age (with a link to it), the law, the rights and what is deleted', async ({
  page,
}) => {
  await page.goto('/privacy-policy#minimum-age');
  await expect(page.getByRole('heading', { name: 'Minimum age' })).toBeInViewport();
  const text = page.getByRole('main');
  await expect(text).toContainText('at least 18 years old');
  await expect(text).toContainText('Data Protection and Privacy Act, 2019');
  for (const right of ['access', 'correction', 'objection']) await expect(text).toContainText(`(${right})`);
  await expect(text).toContainText('complain to the Personal Data Protection Office');
  await expect(text).toContainText('Removed 30 days after you signed up, if nobody entered the PIN.');
});

test('the agreement states the actual fees', async ({ page }) => {
  await page.goto('/user-agreement');
  await expect(page.getByText('at most 90% of the invoice amount')).toBeVisible();
  await expect(page.getByText('Fees are paid upfront')).toBeVisible();
  for (const cells of [
    ['7 days', '3%', '30,000', '970,000'],
    ['15 days', '7%', '70,000', '930,000'],
    ['30 days', '11%', '110,000', '890,000'],
  ]) {
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: cells[0], exact: true }) });
    await expect(row.getByRole('cell')).toHaveText(cells.slice(1));
  }
});

test('the about page describes what Kasente offers, and leads to sign-up above its text and at its end', async ({
  page,
}) => {
  await page.goto('/login');
  await page.getByRole('link', { name: 'About Kasente' }).first().click();
  await expect(page).toHaveURL(/\/about-us$/);
  const text = page.getByRole('main');
  for (const offer of [
    'Invoice discounting finances the work that you have invoiced',
    'collect the invoiced payment from your buyer for you',
    'A small fee',
    'Instant cash',
    'Less time chasing payments',
    'A funding limit that grows with your business',
  ]) {
    await expect(text).toContainText(offer);
  }
  const ways = text.getByRole('link', { name: 'Create Your Account' });
  await expect(ways).toHaveCount(2);
  await ways.last().click();
  await expect(page.getByRole('heading', { name: 'Join Kasente' })).toBeVisible();
});

test("a phone's login shows what an invoice pays, which number to call and how to sign up", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await page.goto('/login');
  for (const shown of [
    page.getByText('For a UGX 10,000,000 invoice you receive'),
    page.getByRole('main').getByText('UGX 8,010,000'),
    page.getByText('Need help? Call +256 700 000000'),
    page.getByRole('link', { name: 'Create Your Account' }),
  ])
    await expect(shown).toBeInViewport({ ratio: 1 });
});

test('every page says how to reach Kasente or, if no contact is set, through whom', async ({ page }) => {
  const link = page.getByRole('main').getByRole('link', { name: 'help@kasente.test' }).first();
  for (const { path } of everyPage) {
    await page.goto(path);
    await expect(link, path).toHaveAttribute('href', 'mailto:help@kasente.test');
  }
  await page.goto('/cookie-policy');
  await expect(
    page.getByText('contact us by email at help@kasente.test or by phone on +256 700 000000.'),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: '+256 700 000000' })).toHaveAttribute('href', 'tel:+256700000000');

  // As sent by a server whose settings name neither.
  await page.route('/cookie-policy', (route) =>
    route.fulfill({ path: 'dist/web/pages/no-email-no-phone/cookie-policy.html' }),
  );
  await page.reload();
  await expect(page.getByText('contact us through the Kasente staff who look after your account.')).toBeVisible();
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with the application' : 'before the application is there', () => {
    test.use({ javaScriptEnabled });
    test('the login screen shows the number to call', async ({ page }) => {
      await page.goto('/login');
      const number = page.getByText('Need help? Call +256 700 000000').getByRole('link', { name: '+256' });
      await expect(number).toHaveAttribute('href', 'tel:+256700000000');
    });
  });
}

test('the icon and the files for crawlers exist', async ({ page, request }) => {
  await page.goto('/login');
  await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', '/icon.svg');
  const icon = await request.get('/favicon.ico');
  expect(new URL(icon.url()).pathname).toBe('/icon.svg');
  expect(icon.headers()).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=604800' });
  const robots = await request.get('/robots.txt');
  expect(robots.headers()['content-type']).toMatch(/^text\/plain/);
  expect(await robots.text()).toContain('Disallow: /api/');
});

test('the cookie policy lists everything that is actually stored on the device', async ({ page, context }) => {
  const kept = new Set<string>();
  const collect = async (): Promise<void> => {
    for (const cookie of await context.cookies([page.url(), new URL('/api/v1/users/login', page.url()).href]))
      kept.add(cookie.name);
    for (const key of await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]))
      kept.add(key);
  };
  await page.goto('/signup');
  await fillSignUp(page, newPhone(), 'Boda-boda-2026!');
  await page.getByRole('button', { name: 'Agree & Join' }).click();
  await expect(page.getByRole('heading', { name: 'Enter PIN' })).toBeVisible();
  await collect();
  await page.goto('/forgot-password');
  await page.getByRole('textbox').fill(newPhone());
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await collect();
  await logIn(page, 'admin@kasente.test');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('LAST_ACTIVITY'))).not.toBeNull();
  await page.getByRole('button', { name: 'Activate newcomer@kasente.test', exact: true }).click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('ALL_BUSINESSES'))).not.toBeNull();
  await page.goto('/application/start');
  await collect();
  for (const name of [
    'kasente_session',
    'kasente_device',
    'auth',
    'otp_data',
    'PIN_STAGE',
    'RESET_STAGE',
    'ALL_BUSINESSES',
    'LAST_ACTIVITY',
  ])
    expect(kept).toContain(name);

  await page.goto('/cookie-policy');
  await expect(page.getByRole('heading', { level: 1, name: 'Cookie Policy' })).toBeVisible();
  const named = await page.getByRole('main').locator('code').allTextContents();
  expect([...kept].filter((name) => !named.includes(name))).toEqual([]);
});

test('signed-in people can read all of them and return home', async ({ page }) => {
  await signIn(page, '0700000001');
  for (const { path, title } of everyPage) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  }
  await page.getByRole('link', { name: 'Privacy Policy' }).click();
  await expect(page).toHaveURL(/\/privacy-policy$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeFocused();
  await page.getByRole('link', { name: 'Kasente', exact: true }).click();
  await expect(page).toHaveURL(/\/home$/);
});

test('sign-up opens its policies in a new tab', async ({ page, context }) => {
  await page.goto('/signup');
  for (const [name, path] of [
    ['User Agreement', '/user-agreement'],
    ['Privacy Policy', '/privacy-policy'],
    ['Cookie Policy', '/cookie-policy'],
  ] as const) {
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name }).click();
    const tab = await opened;
    await expect(tab.getByRole('heading', { level: 1, name })).toBeVisible();
    expect(new URL(tab.url()).pathname).toBe(path);
    await tab.close();
  }
  await expect(page).toHaveURL(/\/signup$/);
});

test('help is linked from the login screen and the menu, and leads back to where it was opened', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('main').getByRole('link', { name: 'read Help' }).click();
  await expect(page).toHaveTitle('Help | Kasente');
  await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeFocused();
  const contents = page.getByRole('navigation', { name: 'On this page' });
  await contents.getByRole('link', { name: 'If you cannot log in' }).click();
  await expect(page).toHaveURL(/\/help#if-you-cannot-log-in$/);
  await expect(page.getByRole('heading', { level: 2, name: 'If you cannot log in' })).toBeInViewport();
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();

  await signIn(page, '0700000001', '/home');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Help' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Paying back' })).toBeVisible();
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test('a lost connection is announced above every screen until it is back', async ({ page, context }) => {
  const notice = page.getByText('No connection.');
  await page.goto('/privacy-policy');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(notice).toBeHidden();
  // Requests still running when the connection breaks are tested by other journeys.
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await expect(notice).toBeVisible();
  await expect(notice).toHaveAttribute('aria-live', 'polite');
  await expectAccessible(page, 'privacy-policy-offline');
  await context.setOffline(false);
  await expect(notice).toBeHidden();

  await signIn(page, '0700000001', '/home');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await expect(notice).toBeVisible();
  // The header makes room for the notice, even when the page is scrolled.
  await page.setViewportSize(PHONE);
  await page.mouse.wheel(0, 400);
  await expect(notice).toBeInViewport();
  const bottomOfNotice = await notice.evaluate((element) => element.getBoundingClientRect().bottom);
  const topOfHeader = await page.getByRole('banner').evaluate((element) => element.getBoundingClientRect().top);
  expect(topOfHeader).toBeGreaterThanOrEqual(bottomOfNotice);
  await expectNoSidewaysScrolling(page, 'offline');
  await context.setOffline(false);
  await expect(notice).toBeHidden();
});

test('they are accessible, and nothing scrolls sideways at 320 px', async ({ page }) => {
  for (const { path, title } of everyPage) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expectAccessibleLooks(page, path.slice(1));
    await page.setViewportSize({ width: 320, height: 640 });
    await expectNoSidewaysScrolling(page, path);
  }
});
