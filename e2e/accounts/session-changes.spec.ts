import type { Page } from '@playwright/test';
import { expect, logIn, sendLogin, signIn, test } from '#e2e/support/fixtures.ts';
import { answerInstead } from '#e2e/support/network.ts';

/** From one session to the next: on a dead or slow connection, and where the focus is afterwards. */

const CLIENT = '0700000001';
const ENDED = { success: false, code: 'NOT_SIGNED_IN', msg: 'Please log in to continue' } as const;

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

function logOutByMenu(page: Page): Promise<void> {
  return page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Log Out' }).click();
}

test('a logout without a reply ends after a while, with a message', async ({ page }) => {
  await page.clock.install();
  await signIn(page, CLIENT, '/home');
  await page.route('**/api/v1/users/logout', () => undefined);
  const asked = page.waitForRequest('**/api/v1/users/logout');
  await logOutByMenu(page);
  await asked;
  await expect(heading(page, 'Logging you out…')).toBeVisible();
  await page.clock.fastForward(10_000);
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('Not logged out everywhere')).toBeVisible();
});

test('a late reply to an ended session does not end the next one', async ({ page }) => {
  await signIn(page, CLIENT);
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route(
    '**/api/v1/users/session',
    async (route) => {
      await held;
      await route.fulfill({ status: 401, json: ENDED });
    },
    { times: 1 },
  );
  const asked = page.waitForRequest('**/api/v1/users/session');
  await page.goto('/home');
  const old = await asked;
  await logOutByMenu(page);
  await sendLogin(page, CLIENT);
  await expect(heading(page, 'Dashboard')).toBeVisible();
  const refused = page.waitForResponse((response) => response.request() === old);
  const logged = page.waitForEvent('console', (message) => message.text().includes('NOT_SIGNED_IN'));
  letGo();
  await refused;
  await logged;
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Applications' }).click();
  await expect(heading(page, 'My Applications')).toBeVisible();
});

test('the heading has the focus after a login, and when the session has ended', async ({ page }) => {
  await logIn(page, CLIENT);
  await expect(heading(page, 'Dashboard')).toBeFocused();
  const answerAgain = await answerInstead(page, 'guid', 401, ENDED);
  await page.getByRole('link', { name: 'Apply', exact: true }).click();
  await expect(page.getByText('Your session has ended.')).toBeVisible();
  await expect(heading(page, 'Login')).toBeFocused();
  await answerAgain();
  await sendLogin(page, CLIENT);
  await expect(heading(page, 'New application')).toBeFocused();
});

test('a first page does not move the focus', async ({ page }) => {
  await signIn(page, CLIENT, '/home');
  await expect(heading(page, 'Dashboard')).toBeVisible();
  await expect(page.locator('body')).toBeFocused();
});
