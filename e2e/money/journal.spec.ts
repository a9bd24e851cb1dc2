import { expect, logIn, test, visit } from '#e2e/support/fixtures.ts';

/** The journal on the demonstration: an application's, an account's, and the trial balance. */

test.use({ world: 'journal' });

test('an administrator follows the money from the trial balance to an application', async ({ page }) => {
  await logIn(page, 'admin@kasente.test');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Journal' }).click();
  const total = page.getByRole('table', { name: 'Trial balance in UGX' }).getByRole('row', { name: /^Total/ });
  await expect(total).toBeVisible();
  const [debit, credit] = await total.locator('[data-numeric]').allTextContents();
  expect(debit).toMatch(/^[\d,]+\.\d\d$/);
  expect(debit).toBe(credit);

  await page.getByRole('link', { name: 'Advances to clients' }).first().click();
  await expect(page).toHaveURL('/journal?account=advances&currency=UGX');
  const first = page.getByRole('table', { name: 'Lines of the account' }).locator('tbody tr').first();
  await first.getByRole('link').click();
  await expect(page.getByRole('table', { name: 'Entries' })).toContainText('Fees not yet earned');
  await page.getByRole('link', { name: 'Open the case' }).click();
  await page.getByRole('region', { name: 'Payments' }).getByRole('link', { name: 'Journal' }).click();
  await expect(page).toHaveURL(/\/journal\?application=/);
});

test('an officer reads accounts, not the trial balance', async ({ page }) => {
  await logIn(page, 'staff@kasente.test');
  await visit(page, '/journal');
  await expect(page.getByRole('table', { name: 'Lines of the account' })).toBeVisible();
  await expect(page.getByText('Trial balance')).toHaveCount(0);
});

test('on a phone every amount stands beside its account, without scrolling sideways', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 2400 });
  await logIn(page, 'admin@kasente.test');
  await visit(page, '/journal');
  const balance = page.getByRole('table', { name: 'Trial balance in UGX' });
  const total = balance.getByRole('row', { name: /^Total/ });
  await expect(total.locator('[data-numeric]').last()).toBeInViewport({ ratio: 1 });
  await page.getByRole('link', { name: 'Advances to clients' }).first().click();
  const lines = page.getByRole('table', { name: 'Lines of the account' });
  await expect(lines.locator('tbody tr').first().locator('[data-numeric]').last()).toBeInViewport({ ratio: 1 });
  await lines.getByRole('link').first().click();
  const entries = page.getByRole('table', { name: 'Entries' });
  await expect(entries.locator('tbody tr').first().locator('[data-numeric]').last()).toBeInViewport({ ratio: 1 });
});
