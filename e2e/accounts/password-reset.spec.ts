import { expect, newPhone, test } from '#e2e/support/fixtures.ts';

/** Forgot password where no code is sent again; and the reset page opened without a reset. */

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

test('the reset page without a reset says so and leads to its start', async ({ page }) => {
  await page.goto('/reset-password');
  await expect(page.getByText('Create New Password')).toBeVisible();
  await page.getByRole('link', { name: 'Ask for a new code' }).click();
  await expect(page).toHaveURL(/\/forgot-password$/);
});
