import { expectAccessible, expectNoSidewaysScrolling } from '#e2e/support/accessible.ts';
import { act } from '#e2e/support/arrange.ts';
import { DEMONSTRATION_PASSWORD, expect, logIn, signIn, test, visit } from '#e2e/support/fixtures.ts';

/** Where a provider pays: who it says holds an account, and what it takes at most. */

test.use({ world: 'paid by MTN', settings: { SIMULATORS: '' } });
test.describe.configure({ mode: 'default' });

test('another name takes a reason, and a number that nobody has is refused', async ({ page }) => {
  await signIn(page, '0700000001');
  for (const number of ['0782345431', '0779999998']) {
    const account = { provider: 'mtn', number, holderName: 'Sarah Nabirye', password: DEMONSTRATION_PASSWORD };
    await act(page, 'payout_accounts', account);
  }
  await page.context().clearCookies();

  await page.setViewportSize({ width: 360, height: 740 });
  await logIn(page, 'admin@kasente.test');
  await visit(page, '/payouts');
  const waiting = page.getByRole('region', { name: 'Accounts to check' }).getByRole('listitem');
  const dialog = page.getByRole('dialog', { name: 'Is this account right?' });
  const done = dialog.getByRole('button', { name: 'I checked this account' });

  await waiting.filter({ hasText: '0779999998' }).getByRole('button', { name: 'Check' }).click();
  await expect(dialog).toContainText('MTN says that nobody has an active account with this number');
  await expect(dialog).toContainText('You cannot check this account. Ask the business for another one.');
  await expect(done).toBeDisabled();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await waiting.filter({ hasText: '0782345431' }).getByRole('button', { name: 'Check' }).click();
  await expect(dialog).toContainText('MTN says: Ruth Nakimuli');
  await expectAccessible(page, 'an account whose holder differs', '[role=dialog]');
  await expectNoSidewaysScrolling(page, 'an account whose holder differs');
  await done.click();
  await expect(dialog.getByText(/The provider does not confirm this name|Another business/)).toBeVisible();
  await dialog.getByLabel('Why this is right').fill('Ruth is the cashier, and both came to the office');
  await done.click();
  await expect(dialog).toHaveCount(0);
  await expect(waiting.filter({ hasText: '0782345431' })).toHaveCount(0);
});

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
