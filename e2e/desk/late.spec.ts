import { newSubmission, openNew } from '#e2e/support/arrange.ts';
import { expect, logIn, test, visit } from '#e2e/support/fixtures.ts';
import { picture } from '#e2e/support/pictures.ts';

/** What happens to a case whose decision is late (e2e/money/paying-back.spec.ts covers late advances). */

const CLIENT = '0700000001';

test('the client is notified of a missed promise once, and the case shows as late on the desk', async ({
  page,
  kasente,
}) => {
  const { tag, number } = await openNew(page, CLIENT, newSubmission);
  const panel = page.getByRole('region', { name: 'What happens now' });
  await expect(panel.getByText(/^We'll decide by/)).toBeVisible();

  await kasente.letDaysPass(tag, 30);
  await kasente.sweep('promises');
  const told = `Kasente, invoice ${number}: We are late with our decision, and we're sorry. We'll decide as soon as we can.`;
  await expect.poll(() => kasente.newestMessage(CLIENT), { intervals: [200] }).toBe(told);
  await page.reload();
  await expect(panel.getByText(/^Past our .+ promise$/)).toBeVisible();
  await picture(page, 'submitted-late');
  await expect(panel.getByText(/^We'll decide by/)).toHaveCount(0);

  await logIn(page, 'staff@kasente.test', { to: '/desk?job=decide&filter=late' });
  const row = page.getByRole('row').filter({ hasText: number });
  await expect(row.getByTitle(/^Past our 4-hour promise/)).toBeVisible();
  await visit(page, '/home');
  await expect(page.getByRole('link', { name: /late/i }).first()).toBeVisible();
});
