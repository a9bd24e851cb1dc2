import type { Page } from '@playwright/test';
import { stored } from '#e2e/support/arrange.ts';
import { holdTheClock } from '#e2e/support/clock.ts';
import { codeIn, expect, newPhone, sendLogin, test } from '#e2e/support/fixtures.ts';
import { fillSignUp } from '#e2e/support/forms.ts';
import { answerInstead } from '#e2e/support/network.ts';
import { picture } from '#e2e/support/pictures.ts';

/**
 * The sign-up form's own messages, and the PIN step's countdown across a reload (docs/specification-coverage.md, 2 to 5
 * and 9).
 */

const PASSWORD = 'Boda-boda-2026!';

/** Signs up and holds the clock when the countdown begins. */
async function signUp(page: Page, phoneOrEmail: string): Promise<unknown> {
  await page.clock.install();
  await page.goto('/signup');
  await fillSignUp(page, phoneOrEmail, PASSWORD);
  await holdTheClock(page);
  const answered = page.waitForResponse('**/api/v1/users/register');
  await page.getByRole('button', { name: 'Agree & Join' }).click();
  const answer: unknown = await (await answered).json();
  // React Query notifies its screens by a timer.
  await page.clock.runFor(10);
  await expect(page.getByRole('heading', { name: 'Enter PIN' })).toBeVisible();
  return answer;
}

test('the form says what is missing on blur, shows examples, and leads to login', async ({ page }) => {
  await page.goto('/signup');
  const field = page.getByLabel('Phone Number / Email');
  await field.focus();
  await field.blur();
  await expect(page.getByText('Phone number or email is required')).toBeVisible();
  await field.fill('07721');
  await expect(page.getByText('Enter a valid email or phone number')).toBeVisible();

  await expect(page.getByText('Phone: 0772123456')).toBeHidden();
  await page.getByRole('button', { name: 'Show format examples' }).click();
  await expect(page.getByText('Phone: 0772123456')).toBeVisible();
  await expect(page.getByText('Email: name@example.com')).toBeVisible();
  await picture(page, 'signup-examples');
  await page.getByRole('button', { name: 'Hide format examples' }).click();
  await expect(page.getByText('Phone: 0772123456')).toBeHidden();

  await page.getByRole('button', { name: 'Agree & Join' }).click();
  for (const text of ['Please select your gender', 'Please select your business sector', 'Please select your district'])
    await expect(page.getByText(text)).toBeVisible();
  await expect(field).toBeFocused();
  await picture(page, 'signup-invalid');
  await page.getByRole('link', { name: 'Already on Kasente?' }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test('after a reload the form is filled in again, except for the password', async ({ page }) => {
  await page.goto('/signup');
  await fillSignUp(page, '0772123456', PASSWORD);
  await page.reload();
  await expect(page.getByLabel('Phone Number / Email')).toHaveValue('0772123456');
  await expect(page.getByRole('radio', { name: 'Female' })).toBeChecked();
  await expect(page.getByRole('combobox', { name: 'Sector' })).toHaveValue('Wholesale and retail trade');
  await expect(page.getByRole('combobox', { name: 'District/Location' })).toHaveValue('Kampala');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
  expect(await page.evaluate(() => Object.entries(sessionStorage).flat().join())).not.toContain(PASSWORD);
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate(() => void window.open('/signup', '_blank', 'noopener')),
  ]);
  await expect(other.getByLabel('Phone Number / Email')).toHaveValue('');
});

test('by phone the PIN counts down from 65 seconds, and a reload after that can still resend', async ({
  page,
  kasente,
}) => {
  const phone = newPhone();
  const answer = await signUp(page, phone);
  expect(answer).toEqual({
    success: true,
    message: expect.any(String),
    msg: expect.any(String),
    userTag: expect.any(String),
    mode: 'other',
  });
  const kept: unknown = JSON.parse((await stored(page, 'otp_data')) ?? '');
  expect(kept).toEqual({ ...Object(answer), expiresAt: expect.any(Number) });
  const stage = await stored(page, 'PIN_STAGE');
  expect(stage).toContain(Object(answer).userTag);

  await expect(page.getByText('Expires in 65 seconds').first()).toBeVisible();
  await picture(page, 'pin');
  await expect(page.getByRole('button', { name: 'Resend in 60 s' })).toBeDisabled();
  await page.clock.runFor(64_000);
  await expect(page.getByText('Expires in 1 seconds').first()).toBeVisible();
  expect(await stored(page, 'otp_data')).not.toBeNull();
  await page.clock.runFor(1000);
  await expect(page.getByRole('button', { name: 'Resend', exact: true })).toBeVisible();
  expect(await stored(page, 'otp_data')).toBeNull();
  expect(await stored(page, 'PIN_STAGE')).toBe(stage);

  await page.clock.resume();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Enter PIN' })).toBeVisible();
  // The server's clock did not advance with this page's: it would refuse another PIN for another minute.
  await answerInstead(page, 'users/resend_pin', 200, { success: true, msg: 'A new PIN was sent' });
  const asked = page.waitForRequest('**/api/v1/users/resend_pin');
  await page.getByRole('button', { name: 'Resend', exact: true }).click();
  expect((await asked).postDataJSON()).toEqual({ userTag: Object(answer).userTag });
  await expect(page.getByText('OTP Resent')).toBeVisible();
  await expect(page.getByText(/Expires in 6\d seconds/).first()).toBeVisible();
  expect(await stored(page, 'otp_data')).not.toBeNull();

  await page.getByLabel('Enter PIN').pressSequentially(codeIn(await kasente.newestMessage(phone)));
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.evaluate(() => sessionStorage.getItem('SIGN_UP'))).toBeNull();
  expect(await stored(page, 'otp_data')).toBeNull();
  expect(await stored(page, 'PIN_STAGE')).toBeNull();
});

test('a phone number written with +256 and spaces signs up, and logs in as it was typed', async ({ page, kasente }) => {
  const phone = newPhone();
  const written = `+256 ${phone.slice(1, 4)} ${phone.slice(4)}`;
  await page.goto('/signup');
  await fillSignUp(page, written, PASSWORD);
  await page.getByRole('button', { name: 'Agree & Join' }).click();
  await expect(page.getByRole('heading', { name: 'Enter PIN' })).toBeVisible();
  await page.getByLabel('Enter PIN').pressSequentially(codeIn(await kasente.newestMessage(phone)));
  await expect(page).toHaveURL(/\/login$/);
  await sendLogin(page, written, PASSWORD);
  await expect(page.getByText('Account Activation in Progress')).toBeVisible();
});

test('a login before the PIN was entered says when another may be sent', async ({ page }) => {
  const phone = newPhone();
  await page.goto('/signup');
  await fillSignUp(page, phone, PASSWORD);
  await page.getByRole('button', { name: 'Agree & Join' }).click();
  await expect(page.getByRole('button', { name: /^Resend in \d+ s$/ })).toBeDisabled();
  await page.getByRole('link', { name: 'Kasente', exact: true }).click();
  await sendLogin(page, phone, PASSWORD);
  await expect(page.getByRole('heading', { name: 'Enter PIN' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Resend in \d+ s$/ })).toBeDisabled();
  // Counted from when the PIN was sent, not from the login.
  await expect(page.getByText(/^Expires in (?:[1-5]?\d|6[0-4]) seconds$/).first()).toBeVisible();
});

for (const [by, username, ends] of [
  ['phone', newPhone(), [65, 'A late code still works. Or ask for a new one.']],
  ['email', `pin${newPhone()}@kasente.test`, [300, 'This code has expired. Ask for a new one.']],
] as const)
  test(`once the countdown by ${by} is over, the step says whether the code still works`, async ({ page }) => {
    await signUp(page, username);
    const [seconds, text] = ends;
    await expect(page.getByText(`Expires in ${seconds} seconds`).first()).toBeVisible();
    await page.clock.runFor(seconds * 1000);
    await expect(page.getByText(text).first()).toBeVisible();
    await picture(page, `pin-over-${by}`);
    await page.clock.runFor((300 - seconds) * 1000);
    await expect(page.getByText('This code has expired. Ask for a new one.').first()).toBeVisible();
  });

test('the message of a refused sign-up does not stay on the PIN step', async ({ page }) => {
  await page.goto('/signup');
  await fillSignUp(page, newPhone(), PASSWORD);
  const restore = await answerInstead(page, 'users/register', 500, {
    success: false,
    code: 'INTERNAL',
    msg: 'Not now',
  });
  await page.getByRole('button', { name: 'Agree & Join' }).click();
  await expect(page.getByText('Not now')).toBeVisible();
  await picture(page, 'signup-refused');
  await restore();
  await page.getByRole('button', { name: 'Agree & Join' }).click();
  await expect(page.getByRole('heading', { name: 'Enter PIN' })).toBeVisible();
  await expect(page.getByText('Not now')).toHaveCount(0);
});

test('a person who mistyped their number returns from the PIN step to a filled form', async ({ page }) => {
  const phone = newPhone();
  await signUp(page, phone);
  await page.clock.resume();
  await page.getByRole('button', { name: 'Use another phone number or email' }).click();
  await expect(page.getByLabel('Phone Number / Email')).toHaveValue(phone);
  await expect(page.getByRole('combobox', { name: 'District/Location' })).toHaveValue('Kampala');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
});

test('by e-mail it counts down from 300 seconds, and continues after a reload', async ({ page }) => {
  const answer = await signUp(page, `${newPhone()}@kasente.test`);
  expect(answer).toMatchObject({ success: true, mode: 'email' });
  await expect(page.getByText('Expires in 300 seconds').first()).toBeVisible();
  await page.clock.runFor(200_000);
  await expect(page.getByText('Expires in 100 seconds').first()).toBeVisible();
  await page.clock.resume();
  await page.reload();
  await expect(page.getByText(/Expires in (9\d|100) seconds/).first()).toBeVisible();
  await holdTheClock(page);
  await page.clock.runFor(100_000);
  await expect(page.getByRole('button', { name: 'Resend', exact: true })).toBeVisible();
  expect(await stored(page, 'otp_data')).toBeNull();
  expect(await stored(page, 'PIN_STAGE')).not.toBeNull();
});
