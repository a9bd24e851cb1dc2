import { expect, logIn, test, visit } from '#e2e/support/fixtures.ts';

/** Money that never comes back: one officer proposes to write it off, another confirms. */

test.use({ world: 'write-off' });

test('two officers write off an advance, and its client still reads how to pay', async ({ page }) => {
  await logIn(page, 'staff@kasente.test');
  await visit(page, '/desk?job=collect&filter=overdue');
  await page.getByRole('link', { name: /MCT 001/ }).click();
  const address = page.url();
  const payments = page.getByRole('region', { name: 'Payments' });
  const dialog = page.getByRole('dialog');
  await payments.getByRole('button', { name: 'Propose write-off' }).click();
  await dialog.getByRole('button', { name: 'Propose write-off' }).click();
  await expect(dialog.getByText('Say why it will not be paid back')).toBeVisible();
  await dialog.getByLabel('Reason').fill('The buyer is bankrupt');
  await dialog.getByRole('button', { name: 'Propose write-off' }).click();
  await expect(payments.getByText('You proposed this write-off. Another officer must confirm it.')).toBeVisible();
  await expect(payments.getByRole('button', { name: 'Confirm write-off' })).toBeDisabled();

  await logIn(page, 'admin@kasente.test');
  await page.goto(address);
  await payments.getByRole('button', { name: 'Confirm write-off' }).click();
  await dialog.getByRole('button', { name: 'Confirm write-off' }).click();
  await expect(payments).toContainText('UGX 3,400,000 is written off');
  await expect(payments.getByRole('table')).toContainText('Written off');

  await logIn(page, '0700000003');
  await page.getByLabel('Search applications').fill('MCT 001');
  await page.getByRole('link', { name: 'MCT 001' }).last().click();
  const panel = page.getByRole('region', { name: 'What happens now' });
  await expect(panel).toContainText('We wrote off UGX 3,400,000 as not paid. You can still pay it.');
});
