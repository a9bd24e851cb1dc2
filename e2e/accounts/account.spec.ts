import type { Page } from '@playwright/test';
import { expectAccessibleLooks, expectNoSidewaysScrolling, layoutShift } from '#e2e/support/accessible.ts';
import { newPerson } from '#e2e/support/arrange.ts';
import { addToApp } from '#e2e/support/authenticator.ts';
import {
  DEMONSTRATION_PASSWORD,
  expect,
  logIn,
  logOut,
  PHONE,
  sendLogin,
  signIn,
  test,
} from '#e2e/support/fixtures.ts';
import { press, tabTo, typeInto } from '#e2e/support/keyboard.ts';
import { alterAnswers, answerInstead, hold } from '#e2e/support/network.ts';
import { picture } from '#e2e/support/pictures.ts';
import { startServer } from '#e2e/support/server.ts';

/** A person's own account: the second factor from set-up to reset, sessions, password (docs/decisions/0017). */

// These journeys give staff a second factor, which other journeys don't expect.
test.use({ world: 'account' });
test.describe.configure({ mode: 'default' });

async function enterPassword(page: Page, username: string): Promise<void> {
  await page.goto('/login');
  await sendLogin(page, username);
}

async function openAccount(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button').last().click();
  await page.getByRole('link', { name: 'My Account' }).click();
  await expect(page).toHaveURL(/\/account$/);
  await expect(page).toHaveTitle('My Account | Kasente');
  await expect(page.getByRole('heading', { level: 1, name: 'My Account' })).toBeVisible();
}

test('staff set up a second factor, log in with it and with a recovery code, and have it reset', async ({
  page,
  browser,
  kasente,
}) => {
  await logIn(page, 'staff@kasente.test');
  await openAccount(page);
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill('not the password');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('This is not your current password')).toBeVisible();
  await dialog.getByLabel('Current password').fill(DEMONSTRATION_PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const app = await addToApp(dialog);
  await dialog.getByLabel('Code that the app shows').fill('000000');
  await expect(dialog.getByText('That code is wrong or was used before. Enter a new one')).toBeVisible();
  await dialog.getByLabel('Code that the app shows').fill(await app.code());

  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const [recoveryCode = ''] = await codes.allTextContents();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Kasente-recovery-codes.txt');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByText('10 of 10 recovery codes are left')).toBeVisible();
  expect(await kasente.newestMessage('staff@kasente.test')).toContain('an authenticator app was set up');

  await logOut(page);
  await enterPassword(page, 'staff@kasente.test');
  await expect(page).toHaveTitle('Second Step | Kasente');
  await page.getByLabel('Code from your app').fill('000000');
  await expect(page.getByRole('alert')).toHaveText('That code is wrong or was used before. Enter a new one');
  await page.getByLabel('Code from your app').fill(await app.code());
  await expect(page).toHaveURL(/\/home$/);

  const lost = await browser.newPage();
  await enterPassword(lost, 'staff@kasente.test');
  await lost.getByRole('button', { name: 'Use a recovery code' }).click();
  await lost.getByLabel('Recovery code').fill(recoveryCode.toLowerCase());
  await lost.getByRole('button', { name: 'Log In' }).click();
  await expect(lost).toHaveURL(/\/home$/);
  expect(await kasente.newestMessage('staff@kasente.test')).toContain('9 recovery codes are left');

  const admin = await browser.newPage();
  await signIn(admin, 'admin@kasente.test', '/home?people-search=staff%40kasente.test');
  await admin.getByRole('button', { name: /^Reset the second factor of / }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
  await expect(admin.getByText('The second factor has been reset')).toBeVisible();
  await lost.reload();
  await expect(lost).toHaveURL(/\/login$/);
  await logIn(lost, 'staff@kasente.test');
});

test('another session is ended from here, then all others', async ({ page, browser, kasente }) => {
  const phone = await newPerson(page, kasente);
  const others = [await browser.newPage(), await browser.newPage()];
  for (const other of others) await logIn(other, phone);
  await logIn(page, phone);
  await openAccount(page);
  await expect(page.getByRole('heading', { name: 'Second Factor' })).toBeHidden();
  const sessions = page.getByRole('list', { name: 'Where you are logged in' }).getByRole('listitem');
  await expect(sessions).toHaveCount(3);
  await expect(sessions.first()).toContainText('Chrome on Linux');
  await expect(sessions.first()).toContainText('This one');
  await expect(sessions.first().getByRole('button')).toBeHidden();
  await sessions
    .nth(1)
    .getByRole('button', { name: /^End the session of Chrome on Linux/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'End this session?' });
  await dialog.getByLabel('Current password').fill('not the password');
  await dialog.getByRole('button', { name: 'End session' }).click();
  await expect(dialog.getByText('This is not your current password')).toBeVisible();
  await picture(page, 'account-end-session');
  await dialog.getByLabel('Current password').fill(DEMONSTRATION_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(sessions).toHaveCount(2);
  await expect(page.getByRole('heading', { name: 'Where you are logged in' })).toBeFocused();
  await page.getByRole('button', { name: 'Log out everywhere else' }).click();
  const all = page.getByRole('dialog', { name: 'Log out everywhere else?' });
  await all.getByLabel('Current password').fill(DEMONSTRATION_PASSWORD);
  await all.getByRole('button', { name: 'Log out everywhere else' }).click();
  await expect(sessions).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Log out everywhere else' })).toBeHidden();
  for (const other of others) {
    await other.reload();
    await expect(other).toHaveURL(/\/login$/);
  }
  await page.reload();
  await expect(sessions).toHaveCount(1);
});

test('a changed password logs other devices out', async ({ page, browser, kasente }) => {
  const phone = await newPerson(page, kasente);
  const other = await browser.newPage();
  await logIn(other, phone);
  await logIn(page, phone);
  await openAccount(page);
  const [current, next] = [page.getByLabel('Current password'), page.getByLabel('New password', { exact: true })];
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByText('Enter your current password')).toBeVisible();
  await expect(current).toBeFocused();
  await picture(page, 'account-wrong');
  await current.fill('not the password');
  await next.fill('Nile-perch-2026');
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByText('This is not your current password')).toBeVisible();
  await current.fill(DEMONSTRATION_PASSWORD);
  await next.fill('password123');
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByText('This password is too easy to guess. Choose another one')).toBeVisible();
  await next.fill('Nile-perch-2026');
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByText('Every other device has been logged out.')).toBeVisible();
  await expect(current).toHaveValue('');
  expect(await kasente.newestMessage(phone)).toContain('your password was changed');
  await other.reload();
  await expect(other).toHaveURL(/\/login$/);
  await logOut(page);
  await logIn(page, phone, { password: 'Nile-perch-2026' });
});

test('staff set up a required second factor first, by keyboard alone', async ({ browser }) => {
  const { address, stop } = await startServer({ SECOND_FACTOR: 'required' });
  try {
    const page = await browser.newPage({ baseURL: address });
    await page.goto('/login');
    await typeInto(page, page.getByLabel('Phone or Email'), 'admin@kasente.test');
    await typeInto(page, page.getByLabel('Password', { exact: true }), DEMONSTRATION_PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/account$/);
    await expect(page.getByText('Your role asks for a second factor. Set it up to continue.')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Password' })).toBeHidden();
    await picture(page, 'account-second-factor-required');
    await page.goto('/businesses');
    await expect(page).toHaveURL(/\/account$/);

    await press(page, page.getByRole('button', { name: 'Set up' }));
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Current password')).toBeFocused();
    await page.keyboard.type(DEMONSTRATION_PASSWORD);
    await page.keyboard.press('Enter');
    await expect(dialog.getByLabel('Code that the app shows')).toBeFocused();
    const app = await addToApp(dialog);
    await page.keyboard.type(await app.code());
    await press(page, dialog.getByRole('button', { name: 'I have kept them' }));
    await expect(page.getByRole('heading', { name: 'Password' })).toBeVisible();
    await page.goto('/businesses');
    await expect(page.getByRole('heading', { level: 1, name: 'Businesses' })).toBeVisible();

    await press(page, page.getByRole('banner').getByRole('button').last());
    await tabTo(page, page.getByRole('link', { name: 'My Account' }));
    await page.keyboard.press('Escape');
    await expect(page.getByRole('link', { name: 'My Account' })).toBeHidden();
    await page.keyboard.press('Enter');
    await press(page, page.getByRole('banner').getByRole('link', { name: 'Log Out' }));
    await expect(page).toHaveURL(/\/login$/);
    await typeInto(page, page.getByLabel('Phone or Email'), 'admin@kasente.test');
    await typeInto(page, page.getByLabel('Password', { exact: true }), DEMONSTRATION_PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Code from your app')).toBeFocused();
    await page.keyboard.type(await app.code());
    await expect(page).toHaveURL(/\/home$/);
    await page.context().close();
  } finally {
    await stop();
  }
});

test('the second step leads back to the first if there was none, or if it took too long', async ({ page }) => {
  await page.goto('/second-step');
  await expect(page).toHaveURL(/\/login$/);
  const refusal = { success: false, code: 'SECOND_FACTOR', msg: 'Enter the code', handle: 'x'.repeat(43) };
  await answerInstead(page, 'users/login', 403, refusal);
  await enterPassword(page, 'admin@kasente.test');
  await page.getByLabel('Code from your app').fill('123456');
  await expect(page.getByRole('alert')).toHaveText('This login took too long. Please log in again');
  await page.getByRole('link', { name: 'Log in again' }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test('the account and the second step are accessible', async ({ page }) => {
  const refusal = { success: false, code: 'SECOND_FACTOR', msg: 'Enter the code', handle: 'x'.repeat(43) };
  const asLong = await answerInstead(page, 'users/login', 403, refusal);
  await enterPassword(page, 'admin@kasente.test');
  await expect(page.getByLabel('Code from your app')).toBeVisible();
  await expectAccessibleLooks(page, 'second-step');
  await asLong();
  await signIn(page, 'admin@kasente.test', '/account');
  await expect(page.getByText('This one')).toBeVisible();
  await expectAccessibleLooks(page, 'account');
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScrolling(page, 'account');
  await page.getByRole('banner').getByRole('button').last().click();
  await expect(page.getByRole('link', { name: 'My Account' })).toBeVisible();
  await expectAccessibleLooks(page, 'account-menu');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill(DEMONSTRATION_PASSWORD);
  await expectAccessibleLooks(page, 'account-set-up');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await expectAccessibleLooks(page, 'account-set-up-qr-code');
  const recoveryCodes = Array.from({ length: 10 }, (_, code) => `ABCDE-FGHJ${code}`);
  await answerInstead(page, 'users/second_factor/confirm', 200, { success: true, recoveryCodes });
  await dialog.getByLabel('Code that the app shows').fill('123456');
  await expect(dialog.getByRole('button', { name: 'I have kept them' })).toBeVisible();
  await expectAccessibleLooks(page, 'account-recovery-codes');
});

test('a long list of sessions shifts nothing on a phone when it loads', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await signIn(page, '0700000001');
  await alterAnswers(page, 'users/sessions', ([own]: [object]) =>
    Array.from({ length: 12 }, (_, nth) => ({ ...own, tag: `s${nth}` })),
  );
  const letCome = await hold(page, '**/api/v1/users/sessions');
  await page.goto('/account');
  await expect(page.getByRole('button', { name: 'Change Password' })).toBeVisible();
  letCome();
  await expect(page.getByText('This one')).toHaveCount(12);
  expect(await layoutShift(page)).toBeLessThan(0.02);
});
