import { expectAccessible, expectNoSidewaysScrolling } from '#e2e/support/accessible.ts';
import { post } from '#e2e/support/calls.ts';
import { expectByItself } from '#e2e/support/clock.ts';
import { DEMONSTRATION_PASSWORD, expect, logIn, PHONE, signIn, test } from '#e2e/support/fixtures.ts';
import { choose } from '#e2e/support/forms.ts';
import { answerOnPhone, openOwn } from '#e2e/support/money.ts';
import { picture } from '#e2e/support/pictures.ts';

/** MTN wallets in the simulator: the name of the holder, the maximum amount, and a request to pay. */

test.use({ world: 'wallets', settings: { SIMULATORS: '' } });
test.describe.configure({ mode: 'default' });

test('a different name needs a reason, and a number without a holder is refused', async ({ page }) => {
  await signIn(page, '0700000001');
  for (const number of ['0782345431', '0779999998']) {
    const account = { provider: 'mtn', number, holderName: 'Sarah Nabirye', password: DEMONSTRATION_PASSWORD };
    await post(page, 'payout_accounts', account);
  }

  await page.setViewportSize(PHONE);
  await logIn(page, 'admin@kasente.test', { to: '/payouts' });
  const waiting = page.getByRole('region', { name: 'Now' }).getByRole('listitem');
  const dialog = page.getByRole('dialog', { name: 'Is this account right?' });
  const done = dialog.getByRole('button', { name: 'I checked this account' });

  await waiting.filter({ hasText: '••• 998' }).getByRole('button', { name: 'Check' }).click();
  await expect(dialog).toContainText('MTN says that nobody has an active account with this number');
  await expect(dialog).toContainText('You cannot check this account. Ask the business for another one.');
  await expect(done).toBeDisabled();
  await picture(page, 'payouts-check-nobody');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await waiting.filter({ hasText: '••• 431' }).getByRole('button', { name: 'Check' }).click();
  await expect(dialog).toContainText('MTN says: Ruth Nakimuli');
  await expectAccessible(page, 'payouts-check-differs', '[role=dialog]');
  await expectNoSidewaysScrolling(page, 'an account whose holder differs');
  await done.click();
  await expect(dialog.getByText(/The provider does not confirm this name|Another business/)).toBeVisible();
  await dialog.getByLabel('Why this is right').fill('Ruth is the cashier, and both came to the office');
  await done.click();
  await expect(dialog).toHaveCount(0);
  await expect(waiting.filter({ hasText: '••• 431' })).toHaveCount(0);
  await picture(page, 'payouts');
});

test('an amount above a wallet’s maximum is not released, and the client is asked for a bank account', async ({
  page,
}) => {
  const takes = /This account takes up to UGX\s*20,000,000\./;
  await logIn(page, 'admin@kasente.test', { to: '/payouts' });
  const above = page.getByRole('region', { name: 'Now' }).getByRole('listitem').filter({ hasText: 'JAS 117' });
  await expect(above).toContainText(/It takes up to UGX\s*20,000,000: ask for a bank account/);
  await picture(page, 'payouts-now');
  await above.getByRole('link', { name: 'Ask client' }).click();
  const payments = page.getByRole('region', { name: 'Payments' });
  await expect(payments).toContainText(takes);
  await expect(payments).toContainText('Cancel this payout, and ask the client to choose a bank account.');
  await expect(payments.getByRole('button', { name: 'Release payout' })).toBeDisabled();
  await picture(page, 'desk-case-above-wallet');
  await payments.getByRole('button', { name: 'Cancel payout' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this payout?' });
  await dialog.getByLabel('Reason').fill('More than the wallet takes');
  await dialog.getByRole('button', { name: 'Cancel this payout' }).click();
  await expect(payments.getByRole('button', { name: 'Prepare payout' })).toBeDisabled();

  await page.setViewportSize(PHONE);
  await logIn(page, '0700000002', { to: '/invoices/applications?applications-search=JAS 117' });
  await page
    .getByRole('link', { name: /JAS 117/ })
    .first()
    .click();
  const where = page.getByRole('region', { name: 'Where we send it' });
  await expect(where).toContainText(takes);
  await expect(where).toContainText('Choose a bank account.');
  await picture(page, 'approved-above-wallet');
  await expectNoSidewaysScrolling(page, 'an application above what its account takes');
});

const MTN = 'MTN ••• 678, Sarah Nabirye';

test('a client requests a payment from their phone, ignores it, requests the whole amount, and it settles', async ({
  page,
  kasente,
}) => {
  test.slow();
  await page.clock.install();
  await page.setViewportSize(PHONE);
  await logIn(page, '0700000001');
  await page.getByRole('region', { name: 'You owe' }).getByRole('button', { name: 'Pay' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pay now' });
  await dialog.getByLabel('Amount').fill('99999999');
  await choose(page, 'Pay from', MTN);
  await dialog.getByRole('button', { name: /^Pay UGX / }).click();
  await expect(dialog.getByText(/^You owe UGX [\d,]+\. Enter that or less$/)).toBeVisible();
  await dialog.getByLabel('Amount').fill('2000');
  await expect(dialog.getByRole('button', { name: 'Pay UGX 2,000' })).toBeVisible();
  await picture(page, 'pay-now-form');
  await expectAccessible(page, 'pay-now', '[role=dialog]');
  await dialog.getByRole('button', { name: /^Pay UGX / }).click();
  await expect(dialog).toContainText('MTN asks ••• 678 to approve UGX 2,000 with the PIN');
  await expectAccessible(page, 'pay-now-asked', '[role=dialog]');
  await answerOnPhone(page, kasente, 'Reject');
  await expect(dialog).toContainText('You did not approve it', { timeout: 60_000 });
  await picture(page, 'pay-now-refused');
  await dialog.getByRole('button', { name: 'Ask again' }).click();
  await expect(dialog.getByRole('button', { name: /^Pay UGX / })).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await openOwn(page, 'NT-2026-037');
  const panel = page.getByRole('region', { name: 'What happens now' });
  await panel.getByRole('button', { name: 'Pay UGX 2,800,000' }).click();
  await expect(dialog.getByLabel('Amount')).toHaveValue('2,800,000.00');
  await choose(page, 'Pay from', MTN);
  await dialog.getByRole('button', { name: /^Pay UGX / }).click();
  await expect(dialog.getByRole('status')).toBeFocused();
  await expect(dialog).toContainText('Look at your phone');
  await page.reload();
  await expect(panel).toContainText('MTN asks ••• 678 to approve UGX 2,800,000');
  await picture(page, 'paid-out-phone-asked');
  await expectNoSidewaysScrolling(page, 'a request to pay on the record');
  await panel.getByRole('button', { name: 'Follow this payment' }).click();
  await expect(dialog).toContainText('Look at your phone');
  await answerOnPhone(page, kasente, 'Approve');
  // The record updates by itself; the dialog stays and tells the waiting person.
  await expect(panel).toContainText('Paid. Thank you', { timeout: 60_000 });
  await expectByItself(page, page.locator('h1 + [data-status=settled]'));
  await expect(dialog.getByRole('status')).toContainText('Paid. Thank you');
  await expect(dialog.getByRole('status')).toBeFocused();
  await expect(dialog).toContainText('Nothing is left to pay.');
  await picture(page, 'pay-now-paid');
  await expectAccessible(page, 'pay-now-paid', '[role=dialog]');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expectAccessible(page, 'settled-by-phone');
  const tag = new URL(page.url()).pathname.split('/').at(-1);

  await logIn(page, 'staff@kasente.test', { to: `/desk/${tag}` });
  const requests = page.getByRole('list', { name: 'Requests to pay' });
  await expect(requests).toContainText(/UGX 2,800,000: We asked MTN ••• 678 to pay. Paid, MTN \d+/);
  await picture(page, 'desk-case-requests-to-pay');
});
