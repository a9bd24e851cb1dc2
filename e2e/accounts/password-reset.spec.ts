import { expect, newPhone, test } from '#e2e/support/fixtures.ts';
import { picture } from '#e2e/support/pictures.ts';

/**
 * Forgot password when no new code may be sent yet; and 'Create New Password', with and without a link
 * (docs/specification-coverage.md, 2 and 5).
 */

test('an unknown number gets the same reply as a known one, and nothing is sent', async ({ page, kasente }) => {
  const phone = newPhone();
  await page.goto('/forgot-password');
  await page.getByRole('textbox').fill(phone);
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByText('A 5-digit verification code has been sent to your phone/email.')).toBeVisible();
  await expect(kasente.newestMessage(phone)).rejects.toThrow('there is no message');
});

test('a person who cancels and retries too soon returns to the code; another device says how long to wait', async ({
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

test('the strength bars and the requirements follow the typed password', async ({ page }) => {
  await page.goto(`/reset-password#${'A'.repeat(43)}`);
  await expect(page.getByRole('button', { name: 'Reset Password' })).toBeVisible();
  const bars = page.locator('[data-color] > [data-filled]');
  await expect(bars).toHaveCount(4);
  for (const { password, score, color, filled, met } of [
    { password: 'abc', score: 20, color: 'red', filled: 1, met: 1 },
    { password: 'abc1A', score: 60, color: 'yellow', filled: 2, met: 3 },
    { password: 'abcdef1A', score: 80, color: 'yellow', filled: 3, met: 4 },
    { password: 'abcdef1A!', score: 100, color: 'green', filled: 4, met: 5 },
  ]) {
    await page.getByLabel('Password', { exact: true }).fill(password);
    await expect(page.getByRole('meter', { name: 'Password strength' }), password).toHaveAttribute(
      'value',
      String(score),
    );
    await expect(bars.first().locator('..'), password).toHaveAttribute('data-color', color);
    await expect(page.locator('[data-color] > [data-filled=true]'), password).toHaveCount(filled);
    await expect(page.getByRole('img', { name: 'Met:', exact: true }), password).toHaveCount(met);
    await picture(page, `reset-password-${color}`);
  }
  const requirements = page.getByRole('listitem').filter({ has: page.getByRole('img', { name: 'Met:', exact: true }) });
  await expect(requirements).toHaveText([
    'At least 8 characters',
    'Includes number',
    'Includes lowercase letter',
    'Includes uppercase letter',
    'Includes special symbol',
  ]);
  await page.getByRole('button', { name: 'Hide requirements' }).click();
  await expect(requirements).toHaveCount(0);
  await page.getByRole('button', { name: 'Show requirements' }).click();
  await expect(requirements).toHaveCount(5);
});
