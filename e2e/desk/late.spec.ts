import { newSubmission } from '#e2e/support/arrange.ts';
import { officer, payOut } from '#e2e/support/desk.ts';
import { expect, logIn, test, visit } from '#e2e/support/fixtures.ts';

/** A case as time passes: a missed SLA, and an advance that is not paid back. */

test.use({ world: 'late' });
test.describe.configure({ mode: 'default' });

const CLIENT = '0700000001';

test('a missed promise is told to the client by us, once, and shows as late on the desk', async ({ page, kasente }) => {
  await logIn(page, CLIENT);
  const { tag, number } = await newSubmission(page);
  await visit(page, `/invoice-discounting-application/${tag}`);
  const panel = page.getByRole('region', { name: 'What happens now' });
  await expect(panel.getByText(/^We'll decide by/)).toBeVisible();

  await kasente.letDaysPass(tag, 30);
  await kasente.sweep('promises');
  const told = `Kasente, invoice ${number}: We are late with our decision, and we're sorry. We'll decide as soon as we can.`;
  await expect.poll(() => kasente.newestMessage(CLIENT), { intervals: [200] }).toBe(told);
  await page.reload();
  await expect(panel.getByText(/^Past our .+ promise$/)).toBeVisible();
  await expect(panel.getByText(/^We'll decide by/)).toHaveCount(0);

  await logIn(page, 'staff@kasente.test');
  await visit(page, '/desk?job=decide&filter=late');
  const row = page.getByRole('row').filter({ hasText: number });
  await expect(row.getByTitle(/^Past our 4-hour promise/)).toBeVisible();
  await visit(page, '/home');
  await expect(page.getByRole('link', { name: /late/i }).first()).toBeVisible();
});

test('an advance that is not paid back by its day is overdue, for the client and for the staff', async ({
  page,
  kasente,
}) => {
  await logIn(page, CLIENT);
  const application = await newSubmission(page);
  const staff = await officer(page, kasente);
  await staff.review(application);
  await staff.onDesk(application, 'approve');
  const releaser = await officer(page, kasente, 'admin@kasente.test');
  await payOut({ preparer: staff, releaser }, application, 'TT-4711');
  await visit(page, `/invoice-discounting-application/${application.tag}`);
  const panel = page.getByRole('region', { name: 'What happens now' });
  await expect(panel).toContainText(/Pay back UGX 900,000 by/);

  // A Sunday or a holiday moves the date by some days.
  await kasente.letDaysPass(application.tag, 40);
  await page.reload();
  const late = /Overdue ([5-9]|10) days · UGX 900,000/;
  await expect(panel).toContainText(late);
  await expect(page.locator('h1 + [data-status=disbursed]')).toHaveText(late);
  await page.getByRole('link', { name: 'Dashboard' }).click();
  const card = page.getByRole('region', { name: 'What matters now' }).getByRole('listitem');
  await expect(card.filter({ hasText: application.number })).toContainText(late);
  await page.getByLabel('Search applications').fill(application.number);
  await expect(page.getByRole('row').filter({ hasText: application.number })).toContainText(late);
  await card.getByRole('link', { name: application.number }).click();
  await expect(panel).toContainText(late);
  await logIn(page, 'staff@kasente.test');
  // An address of before leads to the job and its filter.
  await visit(page, '/desk?view=overdue');
  await expect(page).toHaveURL('/desk?job=collect');
  const row = page.getByRole('row').filter({ hasText: application.number });
  await expect(row.getByText(/^Overdue ([5-9]|10) days$/)).toBeVisible();
  await expect(row.getByText('UGX 900,000')).toHaveCount(1);
});
