import { DEMONSTRATION_PASSWORD, expect, sendLogin, test } from '#e2e/support/fixtures.ts';

/** A login from an address where many others fail to log in (docs/decisions/0007-codes-and-logins.md). */

test('a login that must wait says so, keeps the typing and is sent again by itself', async ({ page }) => {
  await page.route(
    '**/api/v1/users/login',
    (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '2' },
        json: { success: false, code: 'TOO_MANY_REQUESTS', msg: 'Too many requests from here. Try again in 2 seconds' },
      }),
    { times: 1 },
  );
  await page.goto('/login');
  await sendLogin(page, '0700000001');
  await expect(page.getByRole('status')).toHaveText(
    'Many people are logging in right now. We try again in a few seconds.',
  );
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(DEMONSTRATION_PASSWORD);
  await expect(page).toHaveURL(/\/home$/);
});

test('a waiting login is not sent again once somebody types', async ({ page }) => {
  let sent = 0;
  await page.route('**/api/v1/users/login', (route) => {
    sent += 1;
    const json = { success: false, code: 'UNAVAILABLE', msg: 'Kasente is busy or restarting. Try again in a moment' };
    return route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json });
  });
  await page.clock.install();
  await page.goto('/login');
  await sendLogin(page, '0700000001');
  await expect(page.getByText(/^Many people are logging in right now/)).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('Another-1');
  await expect(page.getByText(/^Many people are logging in right now/)).toHaveCount(0);
  await page.clock.fastForward(10_000);
  expect(sent).toBe(1);
});
