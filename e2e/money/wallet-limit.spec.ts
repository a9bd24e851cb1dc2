import { expectNoSidewaysScrolling } from '#e2e/support/accessible.ts';
import { expect, logIn, test, visit } from '#e2e/support/fixtures.ts';

/** Where a provider sends payouts, it sends no more than its wallets take. */

test.use({ world: 'paid by MTN', settings: { SIMULATORS: '' } });

test('more than a wallet takes is not released, and the client is asked for a bank account', async ({ page }) => {
  const takes = /This account takes up to UGX\s*20,000,000\./;
  await logIn(page, 'admin@kasente.test');
  await visit(page, '/payouts');
  const waiting = page.getByRole('region', { name: 'Waiting for release' }).getByRole('listitem');
  await waiting.filter({ hasText: 'JAS 117' }).getByRole('link', { name: 'Open' }).click();
  const payments = page.getByRole('region', { name: 'Payments' });
  await expect(payments).toContainText(takes);
  await expect(payments).toContainText('Cancel this payout, and ask the client to choose a bank account.');
  await expect(payments.getByRole('button', { name: 'Release payout' })).toBeDisabled();
  await payments.getByRole('button', { name: 'Cancel payout' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this payout?' });
  await dialog.getByLabel('Reason').fill('More than the wallet takes');
  await dialog.getByRole('button', { name: 'Cancel this payout' }).click();
  await expect(payments.getByRole('button', { name: 'Prepare payout' })).toBeDisabled();

  await page.setViewportSize({ width: 360, height: 740 });
  await logIn(page, '0700000002');
  await visit(page, '/invoices/applications?applications-search=JAS 117');
  await page
    .getByRole('link', { name: /JAS 117/ })
    .first()
    .click();
  const where = page.getByRole('region', { name: 'Where we send it' });
  await expect(where).toContainText(takes);
  await expect(where).toContainText('Choose a bank account.');
  await expectNoSidewaysScrolling(page, 'an application above what its account takes');
});
