import { expectAccessible, expectNoSidewaysScrolling } from '#e2e/support/accessible.ts';
import { approve, newSubmission } from '#e2e/support/arrange.ts';
import { expectByItself } from '#e2e/support/clock.ts';
import { officer, preparePayout } from '#e2e/support/desk.ts';
import { DEMONSTRATION_PASSWORD, expect, logIn, PHONE, test, visit } from '#e2e/support/fixtures.ts';
import { picture } from '#e2e/support/pictures.ts';

/** An amount above a wallet's limit is released once and paid in parts, which desk and record show before and after. */

test.use({ world: 'paid in parts', settings: { SIMULATORS: '', WALLET_TRANSACTION_LIMIT: 'UGX:500000' } });

const CLIENT = '0700000001';

test('a payout is sent in two parts, which desk and record show', async ({ page, kasente }) => {
  test.slow();
  await page.clock.install();
  await logIn(page, CLIENT);
  const application = await newSubmission(page);
  const staff = await officer(page);
  await approve(staff, application);
  await preparePayout(staff, application);
  const parts = 'It goes in 2 parts: UGX 500,000, then UGX 301,000.';
  await page.setViewportSize(PHONE);
  await visit(page, `/invoice-discounting-application/${application.tag}`);
  await expect(page.getByRole('region', { name: 'Where we send it' })).toContainText(parts);
  await picture(page, 'approved-in-parts');

  await logIn(page, 'admin@kasente.test', { to: `/desk/${application.tag}` });
  const payments = page.getByRole('region', { name: 'Payments' });
  await expect(payments).toContainText(parts);
  await payments.getByRole('button', { name: 'Release payout' }).click();
  const dialog = page.getByRole('dialog', { name: 'Release this payout?' });
  await expect(dialog).toContainText(parts);
  await expectAccessible(page, 'desk-case-release-in-parts', '[role=dialog]');
  await dialog.getByLabel('Your password').fill(DEMONSTRATION_PASSWORD);
  await dialog.getByRole('button', { name: 'Release payout' }).click();
  await expect(payments).toContainText(/Part \d of 2\. On its way since/);
  await expectByItself(page, payments.getByText(/Part 2 of 2. Paid out, MTN mobile money \d+/));
  await expect(payments).toContainText(/Part 1 of 2: UGX\s*500,000 paid out, MTN mobile money \d+/);
  await expectNoSidewaysScrolling(page, 'a payout in parts');
  await expectAccessible(page, 'desk-case-paid-in-parts');

  await logIn(page, CLIENT, { to: `/invoice-discounting-application/${application.tag}` });
  await expect(page.getByText('Another part paid out to you')).toBeVisible();
  await expect(page.getByText('You received')).toBeVisible();
  await picture(page, 'paid-out-in-parts');

  await page.goto(`${kasente.phonesOf('MTN')}/0772345678`);
  await expect(page.getByText(/You have received UGX 500,000\. Kasente/)).toBeVisible();
  await expect(page.getByText(/You have received UGX 301,000\. Kasente/)).toBeVisible();
});
