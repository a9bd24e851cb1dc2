import { expect, logIn, test, visit } from '#e2e/support/fixtures.ts';

/**
 * What officers book themselves: what a buyer keeps back, a repayment that is too large to be right, what never comes back; and
 * the journal that has it all.
 */

test.use({ world: 'booked by officers' });
test.describe.configure({ mode: 'default' });

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
