import { expect, logIn, test, visit } from '#e2e/support/fixtures.ts';

/** A buyer's deduction, on the case and on the client's record; and a repayment that is too large to be right. */

test.use({ world: 'deduction', provoked: [/409/, /422/] });

test('an officer records a deduction once, and the client reads that they owe the same', async ({ page }) => {
  await logIn(page, 'staff@kasente.test');
  await visit(page, '/desk?job=collect&filter=disbursed');
  await page.getByRole('link', { name: /NT-2026-037/ }).click();
  const payments = page.getByRole('region', { name: 'Payments' });
  const dialog = page.getByRole('dialog');
  const deduct = async (amount: string, certificate: string) => {
    await dialog.getByLabel('Amount').fill(amount);
    await dialog.getByLabel('Certificate or note number').fill(certificate);
    await dialog.getByRole('button', { name: 'Record deduction' }).click();
  };
  await payments.getByRole('button', { name: 'Record deduction' }).click();
  await deduct('9000000000', 'WHT 4711');
  await expect(dialog.getByText('Enter what the buyer still owes on the invoice, or less')).toBeVisible();
  await deduct('60000', 'WHT 4711');
  await expect(dialog).toHaveCount(0);
  await expect(payments.getByRole('table')).toContainText('Withholding tax');
  await expect(payments).toContainText('Kept back by buyerUGX 60,000');
  await payments.getByRole('button', { name: 'Record deduction' }).click();
  await deduct('1000', 'wht4711');
  await expect(dialog.getByText('This number is recorded already')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await payments.getByRole('button', { name: 'Record repayment' }).click();
  await dialog.getByLabel('Amount').fill('900000000000');
  await dialog.getByLabel('Reference').fill('BK-9');
  await dialog.getByRole('button', { name: 'Record repayment' }).click();
  await expect(dialog.getByText('This is more than the whole invoice')).toBeVisible();
  await expect(dialog.getByLabel('The amount is right')).not.toBeChecked();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await logIn(page, '0700000001');
  await page.getByLabel('Search applications').fill('NT-2026-037');
  await page.getByRole('link', { name: 'NT-2026-037' }).last().click();
  const panel = page.getByRole('region', { name: 'What happens now' });
  await expect(panel).toContainText('Your buyer kept back UGX 60,000. You still pay back the whole amount above.');
  await expect(panel).toContainText('Kept back by the buyer: withholding tax');
});
