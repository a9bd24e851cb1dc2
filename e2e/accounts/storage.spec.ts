import { stored } from '#e2e/support/arrange.ts';
import { DEMONSTRATION_PASSWORD, expect, logIn, logOut, signIn, test } from '#e2e/support/fixtures.ts';

/** All data stored on the device (docs/specification-coverage.md, 3). None of it grants access. */

test("'auth' is the whole login reply, without secrets, and is deleted at logout", async ({ page }) => {
  const answered = page.waitForResponse('**/api/v1/users/login');
  await logIn(page, 'admin@kasente.test');
  const answer: unknown = await (await answered).json();
  const auth = (await stored(page, 'auth')) ?? '';
  expect(JSON.parse(auth)).toEqual(answer);
  expect(answer).toMatchObject({ success: true, user: { firstName: 'Grace', perms: ['KADMIN'] } });
  expect(auth).not.toContain(DEMONSTRATION_PASSWORD);
  expect(auth).not.toMatch(/token|session|hash/i);
  expect(await page.evaluate(() => document.cookie)).toBe('');

  await page.getByRole('button', { name: 'Activate newcomer@kasente.test', exact: true }).click();
  await expect.poll(() => stored(page, 'ALL_BUSINESSES')).not.toBeNull();
  const businesses: unknown = JSON.parse((await stored(page, 'ALL_BUSINESSES')) ?? '');
  expect(businesses).toContainEqual({ id: expect.any(Number), name: 'Nakasero Traders Ltd' });
  await page.keyboard.press('Escape');
  await logOut(page);
  expect(await stored(page, 'auth')).toBeNull();
  expect(await stored(page, 'ALL_BUSINESSES')).toBeNull();
});

test("an administrator's stored data, copied to another device, gives no access", async ({ page, browser }) => {
  await logIn(page, 'admin@kasente.test');
  const kept = await page.evaluate(() => Object.fromEntries(Object.entries(localStorage)));
  expect(Object.keys(kept)).toContain('auth');

  const thief = await browser.newPage();
  await thief.goto('/login');
  await thief.evaluate((all) => {
    for (const [key, value] of Object.entries(all)) localStorage.setItem(key, value);
  }, kept);
  const answered = thief.waitForResponse('**/api/v1/users/session');
  await thief.goto('/businesses');
  expect((await answered).status()).toBe(401);
  await expect(thief).toHaveURL(/\/login$/);
  expect(await stored(thief, 'auth')).toBeNull();
  await expect(thief.getByText('Pearl Hotels Group')).toHaveCount(0);
  // The administrator stays logged in.
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test('permissions that somebody adds on their own device have no effect', async ({ page }) => {
  await signIn(page, 'newcomer@kasente.test');
  // Otherwise a reply on its way would write the true ones back.
  await page.route('**/api/v1/users/session', (route) => route.abort());
  await page.goto('/home');
  await expect(page.getByText('Account Activation in Progress')).toBeVisible();
  await page.evaluate(() => {
    const auth = JSON.parse(localStorage.getItem('auth') ?? '');
    auth.user.perms = ['KADMIN'];
    localStorage.setItem('auth', JSON.stringify(auth));
  });
  const refused = page.waitForResponse('**/api/v1/persons');
  await page.goto('/home');
  expect((await refused).status()).toBe(403);
  await expect(page.getByText('You do not have permission to do this').first()).toBeVisible();
  await expect(page.getByText('Sarah Nabirye')).toHaveCount(0);
});

test('a truncated reply logs nobody out', async ({ page }) => {
  await signIn(page, '0700000001', '/home');
  await page.route('**/api/v1/users/session', (route) =>
    route.fulfill({ status: 200, contentType: 'application/json', body: '' }),
  );
  const asked = page.waitForResponse('**/api/v1/users/session');
  await page.reload();
  await asked;
  await page.getByRole('link', { name: 'My Applications' }).first().click();
  await expect(page.getByRole('heading', { name: 'My Applications', level: 1 })).toBeVisible();
  await page.reload();
  await expect(page).toHaveURL(/\/invoices\/applications$/);
});
