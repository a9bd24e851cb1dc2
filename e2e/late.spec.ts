import { newSubmission } from '#e2e/arrange.ts';
import { officer } from '#e2e/desk.ts';
import { expect, signIn, test } from '#e2e/fixtures.ts';

/** What time does to a case: a promise that is missed, and an advance that is not paid back. */

test.use({ world: 'late' });

const CLIENT = '0700000001';

test('a missed promise is told to the client by us, once, and shows as late on the desk', async ({ page, kasente }) => {
  // The sweep that tells it runs every minute.
  test.setTimeout(200_000);
  await signIn(page, CLIENT);
  const { tag, number } = await newSubmission(page);
  await page.goto(`/invoice-discounting-application/${tag}`);
  const panel = page.getByRole('region', { name: 'What happens now' });
  await expect(panel.getByText(/^Decision by/)).toBeVisible();

  await kasente.letDaysPass(tag, 30);
  const told =
    `Kasente: your application for invoice ${number} is taking longer than we promised. We are sorry. ` +
    'We will decide it as soon as we can.';
  await expect.poll(() => kasente.newestMessage(CLIENT), { timeout: 150_000, intervals: [1000] }).toBe(told);
  await page.reload();
  await expect(panel.getByText('Later than we promised')).toBeVisible();
  await expect(panel.getByText(/^Decision by/)).toHaveCount(0);

  await signIn(page, 'staff@kasente.test');
  await page.goto('/desk?view=late');
  await expect(page.getByRole('row').filter({ hasText: number })).toBeVisible();
  await page.goto('/home');
  await expect(page.getByRole('link', { name: /late/i }).first()).toBeVisible();
});

test('an advance that is not paid back by its day is overdue, for the client and for the staff', async ({
  page,
  kasente,
}) => {
  await signIn(page, CLIENT);
  const application = await newSubmission(page);
  const staff = await officer(page, kasente);
  await staff.review(application);
  await staff.onDesk(application, 'approve');
  const today = new Date(Date.now() + 3 * 60 * 60 * 1000).toISOString().slice(0, 10);
  await staff.post(`/applications/${application.tag}/disbursement`, {
    method: 'bank',
    reference: 'TT-4711',
    date: today,
    amount: 801_000,
  });
  await page.goto(`/invoice-discounting-application/${application.tag}`);
  const panel = page.getByRole('region', { name: 'What happens now' });
  await expect(panel).toContainText(/UGX 900,000 to be paid back by/);

  await kasente.letDaysPass(application.tag, 40);
  await page.reload();
  await expect(panel).toContainText('Overdue: UGX 900,000');
  await signIn(page, 'staff@kasente.test');
  await page.goto('/desk?view=overdue');
  await expect(page.getByRole('row').filter({ hasText: application.number })).toBeVisible();
});
