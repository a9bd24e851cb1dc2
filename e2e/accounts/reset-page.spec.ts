import { expect, test } from '#e2e/support/fixtures.ts';

/**
 * 'Create New Password' with a link: 4 bars, and the requirements, which can be put away
 * (docs/specification-coverage.md, 2 and 5).
 */

test('the bars and the requirements follow the password', async ({ page }) => {
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
