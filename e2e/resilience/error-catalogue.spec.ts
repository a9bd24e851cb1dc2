import type { Page } from '@playwright/test';
import { openNew } from '#e2e/support/arrange.ts';
import { codeIn, expect, logIn, newPhone, test } from '#e2e/support/fixtures.ts';
import { fillSignUp, hydrated } from '#e2e/support/forms.ts';
import { answerInstead } from '#e2e/support/network.ts';
import { picture } from '#e2e/support/pictures.ts';
import { PHOTO } from '#e2e/support/sample-files.ts';
import { expectToast, toastsAt } from '#e2e/support/toast.ts';

/**
 * The error catalogue and the success toasts (docs/specification-coverage.md, 8 and 9), each with its text, colour,
 * position and duration. If the real server can't produce a failure, the test replies in its place.
 */

const fault = {
  success: false,
  code: 'INTERNAL',
  msg: 'Something went wrong on our side. Nothing is lost. Please try again',
};

test('login: the wrong password', async ({ page }) => {
  await page.clock.install();
  await page.goto('/login');
  await page.getByLabel('Phone or Email').fill(newPhone());
  await page.getByLabel('Password', { exact: true }).fill('not this one');
  await expectToast(page, () => page.getByRole('button', { name: 'Login' }).click(), {
    title: 'Error',
    text: 'Wrong phone/email and/or password',
    color: 'red',
    place: 'top-right',
    lasts: 5000,
  });
});

test('sign-up: refused, without a message of the server, interrupted, and done after a wrong PIN', async ({
  page,
  kasente,
}) => {
  const phone = newPhone();
  const red = { color: 'red', place: 'bottom-right', lasts: 5000 } as const;
  const join = () => page.getByRole('button', { name: 'Agree & Join' }).click();
  await page.clock.install();
  await page.goto('/signup');
  await fillSignUp(page, phone, phone);
  const refused = 'The password must not be your phone number or email';
  await expectToast(page, join, { ...red, text: refused });
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();

  await page.getByLabel('Password', { exact: true }).fill('Boda-boda-2026!');
  await page.route('**/api/v1/users/register', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }));
  await expectToast(page, join, { ...red, text: 'Failed to create account. Please try again.' });
  await page.unroute('**/api/v1/users/register');
  await page.route('**/api/v1/users/register', (route) => route.abort());
  await expectToast(page, join, { ...red, text: 'An error occurred. Please try again.' });
  await page.unroute('**/api/v1/users/register');

  await join();
  await expect(page.getByRole('heading', { name: 'Enter PIN' })).toBeVisible();
  const pin = codeIn(await kasente.newestMessage(phone));
  const type = (digits: string) => page.getByLabel('Enter PIN').pressSequentially(digits);
  await expectToast(page, () => type(pin === '11111' ? '22222' : '11111'), {
    ...red,
    title: 'Error',
    text: 'Wrong pin entered',
    place: 'top-right',
  });
  await expect(page.getByText('That code is wrong or has expired. Check it, or ask for a new one')).toBeVisible();
  await expect(page.getByLabel('Enter PIN')).toHaveAccessibleDescription(/That code is wrong or has expired/);
  await picture(page, 'pin-wrong');
  await expectToast(page, () => type(pin), {
    text: 'Account created successfully! Please log in.',
    color: 'green',
    place: 'bottom-right',
    lasts: 5000,
  });
  await expect(page).toHaveURL(/\/login$/);
});

test('sign-up: options that do not load are logged, and reported by their field but not by a toast', async ({
  page,
}) => {
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  const restore = await answerInstead(page, 'sectors', 500, fault);
  // Opening sign-up directly brings the options in the page; coming from the login screen, the application loads them.
  await page.goto('/login');
  // Before the script has loaded, the link would load sign-up as a new page.
  await hydrated(page);
  await page.getByRole('link', { name: 'Create Your Account' }).click();
  await expect(page.getByText('The options did not load.')).toHaveCount(1);
  expect(logged).toContain(`INTERNAL: ${fault.msg}`);
  await expect(toastsAt(page, 'bottom-right').or(toastsAt(page, 'top-right'))).toHaveCount(0);
  await restore();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('The options did not load.')).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Sector' }).click();
  await expect(page.getByRole('option', { name: 'Wholesale and retail trade' })).toBeVisible();
});

test('person update: refused until closed, then done', async ({ page }) => {
  await page.clock.install();
  await logIn(page, 'staff@kasente.test');
  await page.getByRole('searchbox', { name: 'Search users' }).fill('0700000001');
  await page.getByRole('searchbox', { name: 'Search users' }).press('Enter');
  await page
    .getByRole('row', { name: /Sarah Nabirye/ })
    .getByRole('button', { name: /^(Activate|Update)/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Update Person' });
  await expect(dialog.getByLabel('Designation')).toHaveValue('Director');
  await expect(dialog.getByRole('combobox', { name: 'Business' })).toHaveValue('Nakasero Traders Ltd');
  const update = () => dialog.getByRole('button', { name: 'Update' }).click();
  const msg = 'This person has not confirmed their phone or email yet';
  const refusal = { success: false, code: 'PERSON_PENDING', msg };
  const restore = await answerInstead(page, 'persons/update_minimal_business', 409, refusal);
  await expectToast(page, update, {
    title: 'Updates failed',
    text: msg,
    color: 'red',
    place: 'bottom-right',
    lasts: 'until closed',
  });
  await restore();
  await expectToast(page, update, {
    title: 'Person Update',
    text: 'Updates to this business person have been successful',
    color: 'green',
    place: 'bottom-right',
    lasts: 4000,
  });
});

test('an invoice and an application: not saved, then saved', async ({ page }) => {
  const failed = { title: 'Error', color: 'red', place: 'bottom-right', lasts: 5000 } as const;
  const done = { color: 'green', place: 'bottom-right', lasts: 4000 } as const;
  await page.clock.install();
  const { number } = await openNew(page, '0700000001');
  await expect(page.getByLabel('Amount applied for')).toHaveValue('900,000.00');

  const fillAndPause = (label: string, value: string) => async () => {
    await page.getByLabel(label).fill(value);
    await page.getByLabel(label).blur();
    await page.clock.runFor(1500);
  };
  // It retries by itself: 5 s after the first failure, then after 10 s more.
  const waitForNextTry = () => page.clock.runFor(10_000);
  let restore = await answerInstead(page, 'invoices', 500, fault);
  const changedNumber = fillAndPause('Invoice number', `${number}-B`);
  await expectToast(page, changedNumber, { ...failed, text: 'Invoice not saved' });
  await restore();
  const invoiceSaved = { ...done, title: 'Invoice Ok.', text: 'Your invoice is now saved.' };
  await expectToast(page, waitForNextTry, invoiceSaved);

  restore = await answerInstead(page, 'invoices', 500, fault);
  const changedAmount = fillAndPause('Amount applied for', '800000');
  await expectToast(page, changedAmount, { ...failed, text: 'Application not saved' });
  await restore();
  await expectToast(page, waitForNextTry, {
    ...done,
    title: 'Application Saved',
    text: 'Your Application was saved successfully. You can edit or submit.',
  });
  await page.reload();
  await expect(page.getByLabel('Invoice number')).toHaveValue(`${number}-B`);
  await expect(page.getByLabel('Amount applied for')).toHaveValue('800,000.00');
});

test('upload: refused by the form, by the server, and done', async ({ page }) => {
  const text = 'Document not saved. Make sure it is a picture of the document or a pdf';
  const refused = { text, color: 'red', place: 'bottom-right', lasts: 5000 } as const;
  await page.clock.install();
  await openNew(page, '0700000001');
  await page.getByRole('button', { name: 'Upload Invoice copy' }).click();
  // A pointer where the toast appears would keep it open.
  await page.mouse.move(5, 5);
  const dialog = page.getByRole('dialog', { name: 'Upload Invoice copy' });
  const chooser = dialog.locator('input[type=file]');
  const send = () => dialog.getByRole('button', { name: 'Upload Document' }).click();
  const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('not a picture') };
  await expectToast(page, () => chooser.setInputFiles(note), refused);
  await expect(dialog.getByRole('button', { name: 'Upload Document' })).toBeDisabled();
  const large = { name: 'large.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(10 * 1024 * 1024 + 1) };
  const tooLarge = { ...refused, text: `${text}. The file is larger than 10 MB` };
  await expectToast(page, () => chooser.setInputFiles(large), tooLarge);
  // Its name says that it is a picture, but its content isn't one; the server checks the content.
  await chooser.setInputFiles({ ...note, name: 'note.png', mimeType: 'image/png' });
  await expectToast(page, send, refused);
  await chooser.setInputFiles(PHOTO);
  await expectToast(page, send, {
    text: 'Invoice copy was uploaded successfully',
    color: 'green',
    place: 'bottom-right',
    lasts: 4000,
  });
});

test('password reset: refused, sent, a wrong code without a toast, resent, ended, changed', async ({
  page,
  kasente,
}) => {
  const red = { color: 'red', place: 'bottom-right', lasts: 5000 } as const;
  const green = { color: 'green', place: 'bottom-right', lasts: 4000 } as const;
  const sent = { ...green, title: 'OTP Sent!', text: 'A 5-digit verification code has been sent to your phone/email.' };
  await page.clock.install();
  await page.goto('/forgot-password');
  const request = () => page.getByRole('button', { name: 'Change Password' }).click();
  await page.getByLabel('Phone or Email').fill('nobody');
  await expectToast(page, request, {
    ...red,
    title: 'Something Went Wrong',
    text: 'Try again with email or phone number as registered',
  });
  await page.getByLabel('Phone or Email').fill('staff@kasente.test');
  await expectToast(page, request, sent);

  const code = codeIn(await kasente.newestMessage('staff@kasente.test'));
  await expectCodeRules(page, code === '11111' ? '22222' : '11111');
  const dialog = page.getByRole('dialog', { name: 'Enter the code' });
  const resend = dialog.getByRole('button', { name: 'Resend' });
  await expect(resend).toBeDisabled();
  await page.clock.fastForward(60_000);
  // The server's clock did not advance: it would still refuse another code.
  const userTag = 'A'.repeat(43);
  let restore = await answerInstead(page, 'reset_password/request', 200, { success: true, data: { tag: userTag } });
  await expectToast(page, () => resend.click(), {
    ...green,
    title: 'OTP Resent',
    text: 'A new verification code has been sent.',
  });
  await restore();
  restore = await answerInstead(page, 'reset_password/otp', 200, { success: true, data: { tag: userTag } });
  await dialog.getByLabel('Verification code').fill(code);
  await dialog.getByRole('button', { name: 'Verify Code' }).click();
  await expect(page.getByLabel('New Password', { exact: true })).toBeVisible();
  await restore();

  await expect(page.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await picture(page, 'forgot-password-new');
  await page.getByLabel('New Password', { exact: true }).fill('Nile-perch-2026');
  const set = () => page.getByRole('button', { name: 'Set New Password' }).click();
  // The server never issued the handle above.
  const text = 'The verification code you entered is incorrect. Please try again.';
  restore = await answerInstead(page, 'reset_password/do', 422, { success: false, code: 'RESET_ENDED', msg: text });
  await expectToast(page, set, { ...red, title: 'Invalid OTP', text });
  await restore();
  await expect(page.getByRole('heading', { name: 'Reset Password' })).toBeVisible();
});

/**
 * The code's own rules, and the server's reply shown only below the field (docs/specification-coverage.md, 'Deliberate
 * departures').
 */
async function expectCodeRules(page: Page, wrong: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Enter the code' });
  const input = dialog.getByLabel('Verification code');
  const verify = dialog.getByRole('button', { name: 'Verify Code' });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await picture(page, 'forgot-password-code');
  await input.fill('123');
  await verify.click();
  await expect(dialog.getByText('OTP must be exactly 5 digits')).toBeVisible();
  await input.fill('12a');
  await expect(dialog.getByText('OTP must contain only numbers')).toBeVisible();
  await input.fill(wrong);
  await verify.click();
  await expect(input).toHaveAccessibleDescription(
    /The verification code you entered is incorrect\. Please try again\./,
  );
  await expect(toastsAt(page, 'bottom-right').or(toastsAt(page, 'top-right'))).toHaveCount(0);
  await picture(page, 'forgot-password-wrong-code');
}

test('password reset: done in either way', async ({ page }) => {
  const green = { color: 'green', place: 'bottom-right', lasts: 4000 } as const;
  await page.clock.install();
  const data = { tag: 'A'.repeat(43) };
  await answerInstead(page, 'reset_password/*', 200, { success: true, data });
  await page.goto('/forgot-password');
  await page.getByLabel('Phone or Email').fill('staff@kasente.test');
  await page.getByRole('button', { name: 'Change Password' }).click();
  await page.getByLabel('Verification code').fill('12345');
  await page.getByRole('button', { name: 'Verify Code' }).click();
  await page.getByLabel('New Password', { exact: true }).fill('Nile-perch-2026');
  await expectToast(page, () => page.getByRole('button', { name: 'Set New Password' }).click(), {
    ...green,
    title: 'Password Changed Successfully',
    text: 'Your identity has been verified. Redirecting to login.',
  });
  await expect(page).toHaveURL(/\/login$/);

  await page.goto(`/reset-password#${data.tag}`);
  await expect(page).toHaveURL(/\/reset-password$/);
  const reset = () => page.getByRole('button', { name: 'Reset Password' }).click();
  await page.getByLabel('Password', { exact: true }).fill('Nile-p1');
  await reset();
  await expect(page.getByText('Password must be at least 8 characters long')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('Nile-perch-2026');
  await expectToast(page, reset, {
    ...green,
    title: 'Password Reset Successful!',
    text: 'You can now log in with your new password.',
  });
  await expect(page).toHaveURL(/\/login$/);
});
