import { newPerson } from '#e2e/support/arrange.ts';
import { codeIn, DEMONSTRATION_PASSWORD, expect, logIn, newPhone, test } from '#e2e/support/fixtures.ts';

/** Forgot password, from the wrong code to the new password; and the reset page opened without a reset. */

test('a forgotten password is reset with the code that was sent', async ({ page, kasente }) => {
  const phone = await newPerson(page, kasente);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { name: 'Reset Password' })).toBeVisible();
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByText('Please enter your phone number or email')).toBeVisible();

  await page.getByRole('textbox').fill(phone);
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByText('A 5-digit verification code has been sent to your phone/email.')).toBeVisible();
  const code = codeIn(await kasente.newestMessage(phone));
  const wrong = code === '11111' ? '22222' : '11111';

  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').first().click();
  await page.keyboard.type(wrong);
  await dialog.getByRole('button', { name: 'Verify Code' }).click();
  await expect(dialog.getByText('The verification code you entered is incorrect. Please try again.')).toBeVisible();
  await dialog.getByRole('textbox').first().click();
  await page.keyboard.type(code);
  await dialog.getByRole('button', { name: 'Verify Code' }).click();

  await page.getByLabel('New Password', { exact: true }).fill('weakling');
  await page.getByRole('button', { name: 'Set New Password' }).click();
  await expect(page.getByText('Password Changed Successfully')).toBeHidden();
  await page.getByLabel('New Password', { exact: true }).fill('Nile-perch-2026');
  await page.getByRole('button', { name: 'Set New Password' }).click();
  await expect(page.getByText('Password Changed Successfully')).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);

  await page.getByLabel('Phone or Email').fill(phone);
  await page.getByLabel('Password', { exact: true }).fill(DEMONSTRATION_PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByText('Wrong phone/email and/or password')).toBeVisible();
  await logIn(page, phone, 'Nile-perch-2026');
});

test('an unknown number is answered like a known one, and nothing is sent', async ({ page, kasente }) => {
  const phone = newPhone();
  await page.goto('/forgot-password');
  await page.getByRole('textbox').fill(phone);
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByText('A 5-digit verification code has been sent to your phone/email.')).toBeVisible();
  await expect(kasente.newestMessage(phone)).rejects.toThrow('there is no message');
});

test('who cancels and asks again too soon gets back to the code; elsewhere they are told how long to wait', async ({
  page,
}) => {
  const phone = newPhone();
  await page.goto('/forgot-password');
  const ask = page.getByRole('button', { name: 'Change Password' });
  const dialog = page.getByRole('dialog', { name: 'Enter the code' });
  await page.getByLabel('Phone or Email').fill(phone);
  await ask.click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await ask.click();
  await expect(dialog.getByRole('button', { name: /^Resend in \d+ s$/ })).toBeDisabled();

  // Another device knows nothing of the code that was sent.
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await page.getByLabel('Phone or Email').fill(phone);
  await ask.click();
  await expect(page.getByLabel('Phone or Email')).toHaveAccessibleDescription(
    /^We just sent you a code\. Try again in \d+ seconds$/,
  );
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Something Went Wrong')).toHaveCount(0);
});

test('what is neither a phone number nor an e-mail is told so', async ({ page }) => {
  await page.goto('/forgot-password');
  await page.getByRole('textbox').fill('nobody');
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByText('Something Went Wrong')).toBeVisible();
  await expect(page.getByText('Try again with email or phone number as registered')).toBeVisible();
});

test('the reset page without a reset says so and leads to its start', async ({ page }) => {
  await page.goto('/reset-password');
  await expect(page.getByText('Create New Password')).toBeVisible();
  await page.getByRole('link', { name: 'Ask for a new code' }).click();
  await expect(page).toHaveURL(/\/forgot-password$/);
});
