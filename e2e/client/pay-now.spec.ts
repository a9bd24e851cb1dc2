import { expectAccessible, expectNoSidewaysScrolling } from '#e2e/support/accessible.ts';
import { expect, logIn, test, visit } from '#e2e/support/fixtures.ts';
import { choose } from '#e2e/support/main-job.ts';
import { answerOnPhone } from '#e2e/support/money.ts';

/** Pay now: MTN's simulator plays a client's phone, which is asked for what they owe. */

test.use({ world: 'pay now', settings: { SIMULATORS: '' } });
test.describe.configure({ mode: 'default' });

const CLIENT = '0700000001';
const MTN = 'MTN ••• 678, Sarah Nabirye';

test('a client has their phone asked, lets it go, asks again for all, and it settles', async ({ page, kasente }) => {
  test.slow();
  await page.setViewportSize({ width: 360, height: 740 });
  await logIn(page, CLIENT);
  const matters = page.getByRole('region', { name: 'What matters now' });
  await matters.getByRole('button', { name: 'Pay now' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Pay now' });
  await dialog.getByLabel('Amount').fill('99999999');
  await choose(page, 'Pay from', MTN);
  await dialog.getByRole('button', { name: 'Ask this phone' }).click();
  await expect(dialog.getByText(/^You owe UGX [\d,]+\. Enter that or less$/)).toBeVisible();
  await dialog.getByLabel('Amount').fill('2000');
  await expectAccessible(page, 'what to pay now', '[role=dialog]');
  await dialog.getByRole('button', { name: 'Ask this phone' }).click();
  await expect(dialog).toContainText('MTN asks ••• 678 to approve UGX 2,000 with the PIN');
  await expectAccessible(page, 'a phone is asked', '[role=dialog]');
  await answerOnPhone(page, kasente, 'Reject');
  await expect(dialog).toContainText('You did not approve it', { timeout: 60_000 });
  await dialog.getByRole('button', { name: 'Ask again' }).click();
  await expect(dialog.getByRole('button', { name: 'Ask this phone' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByLabel('Search applications').fill('NT-2026-037');
  await page.getByRole('link', { name: 'NT-2026-037' }).last().click();
  const panel = page.getByRole('region', { name: 'What happens now' });
  await panel.getByRole('button', { name: 'Pay now' }).click();
  await expect(dialog.getByLabel('Amount')).toHaveValue('2,800,000.00');
  await choose(page, 'Pay from', MTN);
  await dialog.getByRole('button', { name: 'Ask this phone' }).click();
  await expect(dialog.getByRole('status')).toBeFocused();
  await expect(dialog).toContainText('Look at your phone');
  await page.reload();
  await expect(panel).toContainText('MTN asks ••• 678 to approve UGX 2,800,000');
  await expectNoSidewaysScrolling(page, 'a request to pay on the record');
  await panel.getByRole('button', { name: 'Follow this payment' }).click();
  await expect(dialog).toContainText('Look at your phone');
  await answerOnPhone(page, kasente, 'Approve');
  // The record follows by itself; the dialog stays, and tells the person who waits.
  await expect(panel).toContainText('Paid. Thank you', { timeout: 60_000 });
  await expect(page.locator('h1 + [data-status=settled]')).toBeVisible();
  await expect(dialog.getByRole('status')).toContainText('Paid. Thank you');
  await expect(dialog.getByRole('status')).toBeFocused();
  await expectAccessible(page, 'paid back by phone', '[role=dialog]');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expectAccessible(page, 'paid back by phone');
  const tag = new URL(page.url()).pathname.split('/').at(-1);

  await logIn(page, 'staff@kasente.test');
  await visit(page, `/desk/${tag}`);
  const requests = page.getByRole('list', { name: 'Requests to pay' });
  await expect(requests).toContainText(/UGX 2,800,000: We asked MTN ••• 678 to pay. Paid, MTN \d+/);
});
