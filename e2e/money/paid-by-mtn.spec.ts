import { expectAccessible, expectNoSidewaysScrolling } from '#e2e/support/accessible.ts';
import { newSubmission } from '#e2e/support/arrange.ts';
import { officer, preparePayout } from '#e2e/support/desk.ts';
import { DEMONSTRATION_PASSWORD, expect, logIn, test, visit } from '#e2e/support/fixtures.ts';

/** A released payout goes out by MTN, played by its simulator: the phone gets it, and the case shows its number. */

test.use({ world: 'paid by MTN', settings: { SIMULATORS: '' } });

const CLIENT = '0700000001';

test('a released payout arrives on the client’s phone, and desk and record say so', async ({ page, kasente }) => {
  test.slow();
  await logIn(page, CLIENT);
  const application = await newSubmission(page);
  const staff = await officer(page, kasente);
  await staff.review(application);
  await staff.onDesk(application, 'approve');
  await preparePayout(staff, application);

  await page.setViewportSize({ width: 360, height: 740 });
  await logIn(page, 'admin@kasente.test');
  await visit(page, `/desk/${application.tag}`);
  const payments = page.getByRole('region', { name: 'Payments' });
  await payments.getByRole('button', { name: 'Release payout' }).click();
  const dialog = page.getByRole('dialog', { name: 'Release this payout?' });
  await expect(dialog).toContainText('MTN');
  await expect(dialog.getByLabel('Reference')).toHaveCount(0);
  await expectAccessible(page, 'a release that MTN sends', '[role=dialog]');
  await dialog.getByLabel('Your password').fill(DEMONSTRATION_PASSWORD);
  await dialog.getByRole('button', { name: 'Release payout' }).click();
  await expect(payments).toContainText('On its way since');
  await expectNoSidewaysScrolling(page, 'a payout on its way');
  // The case follows by itself.
  await expect(payments).toContainText(/Paid out, MTN mobile money \d+/, { timeout: 90_000 });
  await expect(page.locator('h1 + [data-status=disbursed]')).toBeVisible();
  await expectAccessible(page, 'a payout that MTN has sent');

  await logIn(page, CLIENT);
  await visit(page, `/invoice-discounting-application/${application.tag}`);
  await expect(page.locator('h1 + [data-status=disbursed]')).toBeVisible();
  await page.goto(`${kasente.phonesOf('MTN')}/0772345678`);
  await expect(page.getByText(/You have received UGX [\d,]+\. Kasente/)).toBeVisible();
});

test('a payout above a wallet’s limits is not released, and the client is asked for a bank account', async ({
  page,
}) => {
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
