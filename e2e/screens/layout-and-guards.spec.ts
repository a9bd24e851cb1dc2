import type { Locator, Page } from '@playwright/test';
import { newDraft, stored } from '#e2e/support/arrange.ts';
import { expect, logIn, PHONE, signIn, test } from '#e2e/support/fixtures.ts';
import { alterAnswers, answerInstead, hold, sentTo } from '#e2e/support/network.ts';
import { picture } from '#e2e/support/pictures.ts';

/**
 * Header, menu, footer, theme and titles by role, and which paths lead to the login screen
 * (docs/specification-coverage.md, 2).
 */

const UNKNOWN_TAG = '00000000-0000-4000-8000-000000000000';

const protectedPaths = [
  '/',
  '/home',
  '/invoice-discounting-application',
  '/application/start',
  `/invoice-discounting-application/${UNKNOWN_TAG}`,
  '/invoices/applications',
  '/businesses',
];

/** The menu's entries and their addresses. */
async function entriesOf(menu: Locator): Promise<(string | null)[][]> {
  const links = await menu.getByRole('link').all();
  return Promise.all(links.map(async (link) => [await link.textContent(), await link.getAttribute('href')]));
}

/** The screen's accent colour. */
async function accentOf(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const root = getComputedStyle(document.documentElement);
    const named = (name: string) => root.getPropertyValue(name);
    const accent = named('--mantine-primary-color-filled');
    return ['green', 'blue'].find((color) => named(`--mantine-color-${color}-filled`) === accent);
  });
}

async function expectHeader(page: Page, texts: readonly string[]): Promise<void> {
  const header = page.getByRole('banner');
  for (const text of ['Kasente', ...texts]) await expect(header.getByText(text, { exact: true })).toBeVisible();
  await expect(page.getByRole('contentinfo')).toHaveText(/^Version \d+\.\d+\.\d+$/);
}

test('people who are not signed in get to the login screen, from there to sign-up and reset and back', async ({
  page,
}) => {
  for (const path of protectedPaths) {
    await page.goto(path);
    await expect(page, path).toHaveURL(/\/login$/);
  }
  for (const path of ['/nowhere', '/home/of/nobody', '/login']) {
    await page.goto(path);
    await expect(page, path).toHaveTitle('Login | Kasente');
    await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(path);
  }
  await expect(page.getByText('Quick and simple credit')).toBeVisible();
  await page.getByRole('link', { name: 'Create Your Account' }).click();
  await expect(page).toHaveURL(/\/signup$/);
  await expect(page).toHaveTitle('Sign Up | Kasente');
  await page.goto('/reset-password');
  await expect(page).toHaveTitle('Create New Password | Kasente');
  await page.goto('/forgot-password');
  await expect(page).toHaveTitle('Reset Password | Kasente');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test('while it is being submitted the login form is covered and cannot be sent again; then it is reset', async ({
  page,
}) => {
  const letGo = await hold(page, '**/api/v1/users/login', 'POST');
  const sent = sentTo(page, 'users/login');
  await page.goto('/login');
  await page.getByLabel('Phone or Email').fill('0700000001');
  await page.getByLabel('Password', { exact: true }).fill('Kasente-demo-1');
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await expect(page.getByRole('button', { name: 'Login' })).toBeDisabled();
  await expect(page.locator('.mantine-LoadingOverlay-root')).toBeVisible();
  await picture(page, 'login-submitting');
  await expect.poll(() => sent).toHaveLength(1);
  await page.getByLabel('Password', { exact: true }).press('Enter');
  letGo();
  await expect(page).toHaveURL(/\/home$/);
  expect(sent).toHaveLength(1);
  await page.goto('/login');
  await expect(page.getByLabel('Phone or Email')).toHaveValue('');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
});

test('a client: blue, their business and Client Portal, Apply and My Applications, and no businesses', async ({
  page,
}) => {
  await logIn(page, '0700000001');
  await expectHeader(page, ['Sarah Nabirye', 'Nakasero Traders Ltd', 'Client Portal', 'SN']);
  expect(await accentOf(page)).toBe('blue');
  expect(await entriesOf(page.getByRole('navigation', { name: 'Main' }))).toEqual([
    ['Dashboard', '/home'],
    ['Apply', '/invoice-discounting-application'],
    ['My Applications', '/invoices/applications'],
    ['Payout Accounts', '/payout-accounts'],
    ['Help', '/help'],
    ['Log Out', '/logout'],
  ]);
  const { tag, number } = await newDraft(page);
  for (const [path, title, here] of [
    ['/', 'Dashboard', 'Dashboard'],
    ['/home', 'Dashboard', 'Dashboard'],
    ['/invoice-discounting-application', 'New application', 'Apply'],
    ['/application/start', 'New application', 'Apply'],
    ['/invoices/applications', 'My Applications', 'My Applications'],
    ['/payout-accounts', 'Payout Accounts', 'Payout Accounts'],
    [`/invoice-discounting-application/${tag}`, `Invoice ${number}`, 'My Applications'],
    [`/invoice-discounting-application/${UNKNOWN_TAG}`, 'No such invoice', 'My Applications'],
  ] as const) {
    await page.goto(path);
    await expect(page, path).toHaveTitle(`${title} | Kasente`);
    const current = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]');
    await expect(current, path).toHaveText([here]);
  }
  await page.goto('/businesses');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
});

test('staff: green, Administration, Businesses, and neither Apply nor My Applications', async ({ page }) => {
  await logIn(page, 'admin@kasente.test');
  await expectHeader(page, ['Grace Namukasa', 'Administration', 'GN']);
  expect(await accentOf(page)).toBe('green');
  const menu = page.getByRole('navigation', { name: 'Main' });
  expect(await entriesOf(menu)).toEqual([
    ['Dashboard', '/home'],
    ['Decision Desk', '/desk'],
    ['Payouts', '/payouts'],
    ['Received Money', '/received-money'],
    ['Journal', '/journal'],
    ['Reports', '/reports'],
    ['Businesses', '/businesses'],
    ['Log Out', '/logout'],
  ]);
  await menu.getByRole('link', { name: 'Businesses' }).click();
  await expect(page).toHaveTitle('Businesses | Kasente');
  // The list's address by the specification; none of its applications belong to this person.
  await page.goto('/invoices/applications');
  await expect(page).toHaveTitle('All Applications | Kasente');
  await expect(page.getByRole('heading', { level: 1, name: 'All Applications' })).toBeVisible();
  const current = menu.locator('[aria-current=page]');
  await expect(current).toHaveText('Dashboard');
  await page.getByRole('table', { name: 'All Applications' }).getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 2, name: 'Invoice Details' })).toBeVisible();
  await expect(current).toHaveText('Dashboard');
  await page.goto('/application/start');
  await expect(page).toHaveURL(/\/home$/);
});

interface User {
  readonly username: string;
}

/** Changes the person's data in the login reply. */
function alterUser(page: Page, change: (user: User) => object): Promise<void> {
  return alterAnswers(page, 'users/{login,session}', (answer: { user: User }) => ({
    ...answer,
    user: { ...answer.user, ...change(answer.user) },
  }));
}

test("a person without a name is 'Guest User'; without permissions there is only the dashboard", async ({ page }) => {
  await alterUser(page, () => ({ firstName: null, lastName: null }));
  await logIn(page, 'newcomer@kasente.test');
  await expectHeader(page, ['Guest User', 'GU']);
  await expect(page.getByRole('banner').getByText(/Client Portal|Administration/)).toHaveCount(0);
  expect(await accentOf(page)).toBe('blue');
  expect(await entriesOf(page.getByRole('navigation', { name: 'Main' }))).toEqual([
    ['Dashboard', '/home'],
    ['Help', '/help'],
    ['Log Out', '/logout'],
  ]);
  await expect(page.getByText('Account Activation in Progress')).toBeVisible();
});

test("staff with a business see its name, a client without one only 'Client Portal'", async ({ page }) => {
  await alterUser(page, ({ username }) => ({ bizName: username === '0700000001' ? null : 'Kasente Finance Ltd' }));
  await logIn(page, '0700000001');
  await expectHeader(page, ['Sarah Nabirye', 'Client Portal', 'SN']);
  await logIn(page, 'staff@kasente.test');
  await expectHeader(page, ['Peter Okello', 'Kasente Finance Ltd', 'PO']);
  await expect(page.getByRole('banner').getByText(/Client Portal|Administration/)).toHaveCount(0);
});

test('the pages of a long list: 1 on either side of the current one, 1 at either end', async ({ page }) => {
  await page.route('**/api/v1/invoices/paged', async (route) => {
    const asked = route.request().postDataJSON();
    const response = await route.fetch({ postData: { ...asked, page: 1 } });
    const rows = await response.json();
    await route.fulfill({ response, json: rows.map((row: object) => ({ ...row, total: 200 })) });
  });
  await logIn(page, 'staff@kasente.test', { to: '/home?applications-page=10' });
  const pages = page.getByRole('navigation', { name: 'Pages of All Applications' });
  await expect(pages.getByRole('button', { name: /^Page \d+$/ })).toHaveText(['1', '9', '10', '11', '20']);
  await expect(pages.locator('[aria-current=page]')).toHaveText('10');
});

test('on a phone the menu is behind a burger', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await logIn(page, '0700000001');
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu).toBeHidden();
  const burger = page.getByRole('button', { name: 'Menu', exact: true });
  await burger.click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText('Sarah Nabirye')).toBeVisible();
  await expect(drawer.getByText('Nakasero Traders Ltd')).toBeVisible();
  await expect(drawer.getByRole('link')).toHaveText([
    'Dashboard',
    'Apply',
    'My Applications',
    'Payout Accounts',
    'Help',
    'Log Out',
  ]);
  await picture(page, 'menu');
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(burger).toBeFocused();
  await burger.click();
  await drawer.getByRole('link', { name: 'My Applications' }).click();
  await expect(page).toHaveURL(/\/invoices\/applications$/);
  await expect(drawer).toBeHidden();
});

test("any path with 'logout' in it logs out, even if the server does not reply", async ({ page, context }) => {
  await signIn(page, '0700000001', '/somewhere/logout-now');
  await expect(page).toHaveURL(/\/login$/);
  expect(await stored(page, 'auth')).toBeNull();
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('kasente_session');
  await page.goto('/home');
  await expect(page).toHaveURL(/\/login$/);
  for (const path of ['/Logout', '/LOGOUT']) {
    await signIn(page, '0700000001', path);
    await expect(page, path).toHaveURL(/\/login$/);
    await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
    expect(await stored(page, 'auth')).toBeNull();
  }

  await signIn(page, '0700000001');
  await answerInstead(page, 'users/logout', 503, { success: false, code: 'UNAVAILABLE', msg: 'busy' });
  await page.goto('/logout');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('Not logged out everywhere')).toBeVisible();
  expect(await stored(page, 'auth')).toBeNull();
});
