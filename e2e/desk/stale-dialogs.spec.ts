import { officer } from '#e2e/support/desk.ts';
import { expect, logIn, test, visit } from '#e2e/support/fixtures.ts';

/** A colleague's change while somebody looks at the same thing: it is not undone, and the remedy is to look again. */

test.use({ world: 'staff acts' });
test.describe.configure({ mode: 'default' });

const CHANGED = 'Somebody changed this elsewhere. Load it again to see the latest';
const ADMIN = 'admin@kasente.test';

interface Tagged {
  readonly tag: string;
}

test('saving the name of a person whom a colleague deactivated does not bring them back', async ({ page, kasente }) => {
  const colleague = await officer(page, kasente, ADMIN);
  await logIn(page, 'staff@kasente.test');
  const row = page.getByRole('row', { name: /Sarah Nabirye/ });
  await row.getByRole('button', { name: /^Activate/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Update Person' });
  await dialog.getByLabel('Designation').fill('Managing Director');
  const { tag } = await colleague.firstRow<Tagged>('/persons', 'Nabirye');
  await colleague.post('/persons/deactivate', { tag });
  await dialog.getByRole('button', { name: 'Update', exact: true }).click();
  await expect(page.getByText(CHANGED)).toHaveCount(1);
  await expect(dialog.getByLabel('Designation')).toHaveValue('Managing Director');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(row).toContainText('Deactivated');
  await row.getByRole('button', { name: 'Activate Sarah Nabirye', exact: true }).click();
  await dialog.getByRole('button', { name: 'Activate', exact: true }).click();
  await expect(row).toContainText('Active');
});

test('roles that a colleague took are not given back by an older dialog', async ({ page, kasente }) => {
  const colleague = await officer(page, kasente, ADMIN);
  await logIn(page, ADMIN);
  const row = page.getByRole('row', { name: /staff@kasente\.test/ });
  const roles = page.getByRole('dialog', { name: /^Roles of/ });
  await row.getByRole('button', { name: /^Roles/ }).click();
  const { tag } = await colleague.firstRow<Tagged>('/persons', 'staff@');
  await colleague.post('/persons/roles', { tag, perms: [] });
  await roles.getByRole('button', { name: 'Save roles' }).click();
  await expect(page.getByText(CHANGED)).toHaveCount(1);
  await roles.getByRole('button', { name: 'Cancel' }).click();
  await row.getByRole('button', { name: /^Roles/ }).click();
  await expect(roles.getByRole('checkbox', { name: 'Staff' })).not.toBeChecked();
  await roles.getByRole('checkbox', { name: 'Staff' }).check();
  await roles.getByRole('button', { name: 'Save roles' }).click();
  await expect(roles).toBeHidden();
});

test('a business that a colleague closed stays closed', async ({ page, kasente }) => {
  const colleague = await officer(page, kasente, ADMIN);
  await logIn(page, 'staff@kasente.test');
  await visit(page, '/businesses');
  const open = page.getByRole('button', { name: 'Edit Jinja Agro Supplies Ltd' });
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Edit Business' });
  await expect(dialog.getByRole('switch')).toBeChecked();
  const business = await colleague.firstRow<Tagged & Record<string, unknown>>('/businesses/paged', 'Jinja Agro');
  const { tag, name, industryId, districtId, isClient, isBuyer } = business;
  await colleague.put(`/businesses/${tag}`, { name, industryId, districtId, isClient, isBuyer, active: false });
  await dialog.getByRole('button', { name: 'Save Business' }).click();
  await expect(page.getByText(CHANGED)).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await open.click();
  await expect(dialog.getByRole('switch')).not.toBeChecked();
});

test('a limit that a colleague set is shown before another one takes its place', async ({ page, kasente }) => {
  const colleague = await officer(page, kasente, ADMIN);
  await logIn(page, 'staff@kasente.test');
  await visit(page, '/businesses');
  await page.getByRole('button', { name: 'Limits of Nakasero Traders Ltd' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Set Limit in USD' }).click();
  await dialog.getByLabel('New limit').fill('20000');
  await dialog.getByLabel('Reason').fill('Three settled on time');
  const { tag } = await colleague.firstRow<Tagged>('/businesses/paged', 'Nakasero');
  const limits = await colleague.get<{ currency: string; currencyId: number }[]>(`/businesses/${tag}/limits`);
  const currencyId = limits.find(({ currency }) => currency === 'USD')?.currencyId;
  await colleague.post(`/businesses/${tag}/limits`, { currencyId, limit: 0, reason: 'Papers were forged' });
  await dialog.getByRole('button', { name: 'Set Limit', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveText(CHANGED);
  await expect(dialog.getByRole('heading', { name: 'USD 0', exact: true })).toBeVisible();
  await expect(dialog.getByLabel('New limit')).toHaveValue('20,000.00');
  await dialog.getByRole('button', { name: 'Set Limit', exact: true }).click();
  // A raise at first, it now waits for the colleague, who said 0.
  await expect(dialog.getByText('You proposed USD 20,000')).toBeVisible();
  await expect(dialog.getByRole('heading', { name: 'USD 0', exact: true })).toBeVisible();
});
