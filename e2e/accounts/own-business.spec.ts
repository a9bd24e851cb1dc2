import { newPerson } from '#e2e/support/arrange.ts';
import { firstRow, post } from '#e2e/support/calls.ts';
import { officer } from '#e2e/support/desk.ts';
import { expect, logIn, test } from '#e2e/support/fixtures.ts';

/** Staff who belong to a business see it like any other, and are not offered actions that another officer must take. */

const OWN = 'Jinja Agro Supplies Ltd';
const OTHER = 'Nakasero Traders Ltd';

test('staff can neither edit their own business nor set its limit', async ({ page, kasente }) => {
  const username = await newPerson(page, kasente);
  const admin = await officer(page, 'admin@kasente.test');
  const { tag } = await firstRow<{ tag: string }>(admin, 'persons', username);
  const { id } = await firstRow<{ id: number }>(admin, 'businesses/paged', OWN);
  const named = { firstName: 'Kato', lastName: 'Okello', phone: username };
  await post(admin, 'persons/update_minimal_business', { tag, businessId: id, ...named });
  await post(admin, 'persons/roles', { tag, perms: ['KSTAF'] });

  await logIn(page, username, { to: '/businesses' });
  const limits = page.getByRole('region', { name: 'Limits' });
  for (const [width, height] of [
    [1366, 768],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.getByRole('link', { name: OWN }).click();
    await expect(page.getByText('Your own business')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Edit Business' })).toHaveCount(0);
    await expect(limits.getByText('Another officer must act on it')).toBeVisible();
    await expect(limits.getByRole('region', { name: 'UGX' })).toBeVisible();
    await expect(limits.getByRole('button', { name: /^Set Limit/ })).toHaveCount(0);
    await page.goBack();
    await page.getByRole('link', { name: OTHER }).click();
    await expect(page.getByRole('button', { name: 'Edit Business' })).toBeVisible();
    await expect(limits.getByRole('button', { name: 'Set Limit in UGX' })).toBeVisible();
    await page.goBack();
  }
});
