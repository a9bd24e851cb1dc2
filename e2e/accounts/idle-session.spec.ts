import type { BrowserContext, Page } from '@playwright/test';
import { expectAccessible, expectAccessibleLooks } from '#e2e/support/accessible.ts';
import { holdTheClock } from '#e2e/support/clock.ts';
import { expect, sendLogin, signIn, test } from '#e2e/support/fixtures.ts';

/**
 * The idle dialog (docs/specification-coverage.md, 4 and 9) at the server's default of 15 minutes: the prompt shows for
 * the last 30 %, four and a half minutes. The page's clock is held; the server's runs.
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const PROMPT_AFTER = 10.5 * MINUTE;
/** Far enough ahead that the watch is due when the clock is held, so that it then ticks on whole seconds. */
const HELD_LATER = 20 * SECOND;

function prompt(page: Page) {
  return page.getByRole('dialog', { name: 'Are you still there?' });
}

/** Logs in, stops the clock of every tab, and then performs an action. */
async function signInAndHoldTheClock(page: Page): Promise<void> {
  await page.clock.install();
  await signIn(page, '0700000001', '/home');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await holdTheClock(page, HELD_LATER);
  await act(page);
}

async function act(page: Page): Promise<void> {
  await page.keyboard.press('Shift');
}

/** The session as the server knows it, requested with its cookie from outside the browser. */
async function sessionOf(context: BrowserContext, address: string): Promise<() => Promise<number>> {
  const cookie = (await context.cookies()).find(({ name }) => name === 'kasente_session');
  if (cookie === undefined) throw new Error('there is no session');
  const headers = { cookie: `${cookie.name}=${cookie.value}`, 'x-background': '1' };
  return async () => (await fetch(`${address}/api/v1/users/session`, { headers })).status;
}

test('the idle dialog asks when 30 % of the timeout is left, to the second', async ({ page }) => {
  await signInAndHoldTheClock(page);
  await page.clock.runFor(PROMPT_AFTER - SECOND);
  await expect(prompt(page)).toBeHidden();
  await page.clock.runFor(SECOND);
  await expect(prompt(page)).toBeVisible();
  await expect(prompt(page).getByText('4:30')).toBeVisible();
  await expect(prompt(page).getByRole('status')).toHaveText('Less than 5 minutes left');
  await page.clock.runFor(10 * SECOND);
  await expect(prompt(page).getByText('4:20')).toBeVisible();
  await expect(prompt(page).getByRole('button', { name: 'Continue' })).toBeFocused();
  // Once the prompt asks, only its answer counts.
  await page.mouse.move(200, 200);
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await page.clock.runFor(SECOND);
  await expect(prompt(page)).toBeVisible();
});

test("'Continue' keeps the session, and reports it to the server at once as the person's own action", async ({
  page,
}) => {
  await signInAndHoldTheClock(page);
  await page.clock.runFor(PROMPT_AFTER + 4 * MINUTE);
  const ping = page.waitForRequest('**/api/v1/users/session');
  await prompt(page).getByRole('button', { name: 'Continue' }).click();
  expect(await (await ping).headerValue('x-background')).toBeNull();
  await expect(prompt(page)).toBeHidden();
  await page.clock.runFor(PROMPT_AFTER - SECOND);
  await expect(prompt(page)).toBeHidden();
  await expect(page).toHaveURL(/\/home$/);
  await page.clock.runFor(SECOND);
  await expect(prompt(page).getByText('4:30')).toBeVisible();
});

test("'Log Out' logs out, here and on the server", async ({ page, context, kasente }) => {
  await signInAndHoldTheClock(page);
  const session = await sessionOf(context, kasente.address);
  expect(await session()).toBe(200);
  await page.clock.runFor(PROMPT_AFTER);
  await page.clock.resume();
  await prompt(page).getByRole('button', { name: 'Log Out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect.poll(session).toBe(401);
  expect(await page.evaluate(() => localStorage.getItem('auth'))).toBeNull();
  // This was not an idle log-off, and no message says that it was.
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  await expect(page.getByText(/logged out because|session has ended/)).toHaveCount(0);
});

test('the idle dialog logs out when the countdown runs out', async ({ page, context, kasente }) => {
  await signInAndHoldTheClock(page);
  const session = await sessionOf(context, kasente.address);
  const visited: string[] = [];
  page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname));
  await page.clock.runFor(15 * MINUTE - SECOND);
  await expect(prompt(page).getByText('0:01')).toBeVisible();
  expect(await session()).toBe(200);
  await page.clock.runFor(SECOND);
  await page.clock.resume();
  await expect(page).toHaveURL(/\/login$/);
  expect(visited).toContain('/logout');
  await expect.poll(session).toBe(401);
});

test('tabs agree: activity and the answer in one count in the others', async ({ page, context }) => {
  await signInAndHoldTheClock(page);
  const other = await context.newPage();
  await page.clock.resume();
  await other.goto('/invoices/applications');
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
  await holdTheClock(page, HELD_LATER);
  await act(page);
  await page.clock.runFor(6 * MINUTE);
  await act(other);
  await page.clock.runFor(PROMPT_AFTER - SECOND);
  await expect(prompt(page)).toBeHidden();
  await expect(prompt(other)).toBeHidden();
  await page.clock.runFor(SECOND);
  await expect(prompt(page)).toBeVisible();
  await expect(prompt(other)).toBeVisible();

  await prompt(other).getByRole('button', { name: 'Continue' }).click();
  await expect(prompt(other)).toBeHidden();
  await expect(prompt(page)).toBeHidden();

  await page.clock.runFor(15 * MINUTE);
  await page.clock.resume();
  await expect(page).toHaveURL(/\/login$/);
  await expect(other).toHaveURL(/\/login$/);
});

const WHY = 'You were logged out because nothing was done for 15 minutes. Your saved work is safe.';

test('the login screen explains the log-off, and returns the same person to where they were', async ({ page }) => {
  await signInAndHoldTheClock(page);
  await page.clock.resume();
  await page.getByRole('link', { name: 'My Applications' }).click();
  await expect(page).toHaveURL(/\/invoices\/applications$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.clock.fastForward(16 * MINUTE);
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('status').filter({ hasText: WHY })).toBeVisible();
  await expectAccessible(page, 'login-after-idling');
  await page.reload();
  await expect(page.getByText(WHY)).toBeVisible();
  await sendLogin(page, '0700000001');
  await expect(page).toHaveURL(/\/invoices\/applications$/);

  // A person who logs out needs no explanation.
  await page.getByRole('link', { name: 'Log Out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  await expect(page.getByText(/logged out because|session has ended/)).toHaveCount(0);
});

test('the login screen explains that the server has ended the session, and has the username', async ({
  page,
  context,
}) => {
  await signIn(page, '0700000001');
  await context.clearCookies();
  await page.goto('/invoices/applications');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('status')).toHaveText('Your session has ended. Log in to carry on where you were.');
  await expect(page.getByLabel('Phone or Email')).toHaveValue('0700000001');
});

test('the idle dialog is accessible', async ({ page }) => {
  await signInAndHoldTheClock(page);
  await page.clock.runFor(PROMPT_AFTER);
  await page.clock.resume();
  await expect(prompt(page)).toBeVisible();
  await expectAccessibleLooks(page, 'idle-dialog');
});
