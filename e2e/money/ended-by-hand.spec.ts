import { expectAccessible, expectNoSidewaysScrolling } from '#e2e/support/accessible.ts';
import { approve, newSubmission } from '#e2e/support/arrange.ts';
import { expectByItself } from '#e2e/support/clock.ts';
import { officer, preparePayout } from '#e2e/support/desk.ts';
import { expect, logIn, PHONE, test, visit } from '#e2e/support/fixtures.ts';
import { releaseToProvider } from '#e2e/support/money.ts';
import { picture } from '#e2e/support/pictures.ts';

/**
 * MTN never reports how a payout ended: two officers check MTN's record and settle the payout, with MTN's reply in
 * view.
 */

test.use({
  world: 'MTN does not tell',
  settings: { SIMULATORS: '', RAIL_TIMEOUT_SECONDS: '1' },
});

test('two officers end a payout whose outcome MTN does not report', async ({ page, kasente }) => {
  test.slow();
  await page.clock.install();
  const faults = new URL('/simulator/faults', kasente.phonesOf('MTN'));
  await page.request.put(faults.href, { data: [{ fault: 'pending', seconds: 36_000 }] });
  await logIn(page, '0700000001');
  const application = await newSubmission(page);
  const staff = await officer(page);
  await approve(staff, application);
  await preparePayout(staff, application);

  await logIn(page, 'admin@kasente.test', { to: `/desk/${application.tag}` });
  await releaseToProvider(page, 'MTN');
  await picture(page, 'desk-case-on-its-way');

  const dialog = page.getByRole('dialog');
  await page.setViewportSize(PHONE);
  await visit(page, '/payouts');
  const onTheirWay = page.getByRole('region', { name: 'On its way' });
  const end = onTheirWay.getByRole('button', { name: 'Say how it ended' });
  // After half an hour officers are notified, and may settle it.
  await expect(onTheirWay).toContainText(application.number);
  await picture(page, 'payouts-on-their-way');
  await kasente.letTheDayEnd();
  await kasente.sweep('transfers');
  await expectByItself(page, end);
  await end.click();
  await expect(dialog).toContainText('MTN mobile money says now: PENDING');
  await expectAccessible(page, 'payouts-end', '[role=dialog]');
  await dialog.getByLabel('MTN mobile money paid it').click();
  await dialog.getByLabel('How do you know?').fill('Their portal shows it');
  await dialog.getByRole('button', { name: 'Say how it ended' }).click();
  await expect(dialog).toContainText('Enter the number of the payment');
  await dialog.getByLabel('Number of the payment').fill('8841207766');
  await dialog.getByRole('button', { name: 'Say how it ended' }).click();
  await expect(onTheirWay).toContainText('You said how it ended. Another officer must confirm it');
  await expect(onTheirWay.getByRole('button', { name: 'Confirm' })).toBeDisabled();
  await picture(page, 'payouts-end-proposed');
  await expectNoSidewaysScrolling(page, 'a payout that an officer ends');

  await logIn(page, 'staff@kasente.test', { to: '/payouts' });
  await onTheirWay.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog).toContainText('the provider paid it, 8841207766. Their portal shows it');
  await picture(page, 'payouts-end-confirm');
  // A provider's reply from before the proposal expires after four seconds; the refusal says so.
  await expect(async () => {
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(dialog).toHaveCount(0, { timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
  await expect(onTheirWay).toContainText('Nothing is on its way.');
  await visit(page, `/desk/${application.tag}`);
  await expect(page.locator('h1 + [data-status=disbursed]')).toBeVisible();
});
