import type { Browser, Page } from '@playwright/test';
import { act } from '#e2e/arrange.ts';
import { expect, signIn, test } from '#e2e/fixtures.ts';

/** Dialogs of what a colleague changes meanwhile: nothing of theirs is undone, and the way on is to look again. */

test.use({ world: 'stale dialogs' });

const headers = { 'X-Requested-With': 'fetch' };
const CHANGED = 'This was changed elsewhere in the meantime. Load it again to see the latest';

/** Another administrator, in a browser of their own. */
async function colleague(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const page = await context.newPage();
  await signIn(page, 'admin@kasente.test');
  return page;
}

/** The first row of a list that the caller sees under a phrase. */
async function firstRow(page: Page, path: string, searchPhrase: string): Promise<Record<string, unknown>> {
  const answer = await page.request.post(`/api/v1/${path}`, { headers, data: { page: 1, searchPhrase } });
  expect(answer.status()).toBe(200);
  const [row] = await answer.json();
  return row;
}

test('whom a colleague deactivated is not brought back by saving their name', async ({ page, browser, baseURL }) => {
  const other = await colleague(browser, baseURL);
  await signIn(page, 'staff@kasente.test');
  await page.goto('/home');
  const row = page.getByRole('row', { name: /Sarah Nabirye/ });
  await row.getByRole('button', { name: /^Activate/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Update Person' });
  await dialog.getByLabel('Designation').fill('Managing Director');
  await act(other, 'persons/deactivate', { tag: (await firstRow(other, 'persons', 'Nabirye')).tag });
  await dialog.getByRole('button', { name: 'Update', exact: true }).click();
  await expect(page.getByText(CHANGED)).toHaveCount(1);
  await expect(dialog.getByLabel('Designation')).toHaveValue('Managing Director');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(row).toContainText('Deactivated');
  await row.getByRole('button', { name: 'Activate Sarah Nabirye', exact: true }).click();
  await dialog.getByRole('button', { name: 'Activate', exact: true }).click();
  await expect(row).toContainText('Active');
});

test('roles that a colleague took are not given back by an older dialog', async ({ page, browser, baseURL }) => {
  const other = await colleague(browser, baseURL);
  await signIn(page, 'admin@kasente.test');
  await page.goto('/home');
  const row = page.getByRole('row', { name: /staff@kasente\.test/ });
  const roles = page.getByRole('dialog', { name: /^Roles of/ });
  await row.getByRole('button', { name: /^Roles/ }).click();
  await act(other, 'persons/roles', { tag: (await firstRow(other, 'persons', 'staff@')).tag, perms: [] });
  await roles.getByRole('button', { name: 'Save roles' }).click();
  await expect(page.getByText(CHANGED)).toHaveCount(1);
  await roles.getByRole('button', { name: 'Cancel' }).click();
  await row.getByRole('button', { name: /^Roles/ }).click();
  await expect(roles.getByRole('checkbox', { name: 'Staff' })).not.toBeChecked();
  await roles.getByRole('checkbox', { name: 'Staff' }).check();
  await roles.getByRole('button', { name: 'Save roles' }).click();
  await expect(roles).toBeHidden();
});

test('a business that a colleague closed stays closed', async ({ page, browser, baseURL }) => {
  const other = await colleague(browser, baseURL);
  await signIn(page, 'staff@kasente.test');
  await page.goto('/businesses');
  await page.getByRole('button', { name: 'Edit Pearl Hotels Group' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Business' });
  await expect(dialog.getByRole('switch')).toBeChecked();
  const { tag, name, industryId, districtId, isClient, isBuyer } = await firstRow(other, 'businesses/paged', 'Pearl');
  const closed = { name, industryId, districtId, isClient, isBuyer, active: false };
  const answer = await other.request.put(`/api/v1/businesses/${tag}`, { headers, data: closed });
  expect(answer.status()).toBe(200);
  await dialog.getByRole('button', { name: 'Save Business' }).click();
  await expect(page.getByText(CHANGED)).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Edit Pearl Hotels Group' }).click();
  await expect(dialog.getByRole('switch')).not.toBeChecked();
});

test('a limit that a colleague set is shown before another one takes its place', async ({ page, browser, baseURL }) => {
  const other = await colleague(browser, baseURL);
  await signIn(page, 'staff@kasente.test');
  await page.goto('/businesses');
  await page.getByRole('button', { name: 'Limits of Nakasero Traders Ltd' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Set Limit in USD' }).click();
  await dialog.getByLabel('New limit').fill('20000');
  await dialog.getByLabel('Reason').fill('Three settled on time');
  const { tag } = await firstRow(other, 'businesses/paged', 'Nakasero');
  const limits = await other.request.get(`/api/v1/businesses/${tag}/limits`, { headers });
  const usd = (await limits.json()).find((limit: { currency: string }) => limit.currency === 'USD');
  await act(other, `businesses/${tag}/limits`, { currencyId: usd.currencyId, limit: 0, reason: 'Papers were forged' });
  await dialog.getByRole('button', { name: 'Set Limit', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveText(CHANGED);
  await expect(dialog.getByRole('heading', { name: 'USD 0', exact: true })).toBeVisible();
  await expect(dialog.getByLabel('New limit')).toHaveValue('20,000.00');
  await dialog.getByRole('button', { name: 'Set Limit', exact: true }).click();
  await expect(dialog.getByRole('heading', { name: 'USD 20,000' })).toBeVisible();
});
