import { expectNoSidewaysScrolling } from '#e2e/support/accessible.ts';
import type { Tagged } from '#e2e/support/arrange.ts';
import { firstRow, get, post, put } from '#e2e/support/calls.ts';
import { officer } from '#e2e/support/desk.ts';
import { expect, logIn, PHONE, test } from '#e2e/support/fixtures.ts';
import { alterAnswers, hold } from '#e2e/support/network.ts';
import { picture } from '#e2e/support/pictures.ts';

/** Dialogs during their call, on clicks outside, with overlong names, and after a colleague's change. */

test.use({ world: 'staff acts' });
test.describe.configure({ mode: 'default' });

test('a dialog whose code does not load says so, and can be opened after a reload', async ({ page }) => {
  await logIn(page, 'admin@kasente.test');
  await page.route('**/assets/roles-form-*', (route) => route.abort());
  const roles = page.getByRole('row', { name: /Sarah Nabirye/ }).getByRole('button', { name: /^Roles/ });
  const dialog = page.getByRole('dialog', { name: 'Roles of Sarah Nabirye' });
  await roles.click();
  await expect(dialog.getByRole('alert')).toContainText('This did not load');
  await page.unroute('**/assets/roles-form-*');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog).toHaveCount(0);
  await roles.click();
  await expect(dialog.getByRole('button', { name: 'Save roles' })).toBeVisible();
  await picture(page, 'roles');
});

test('a part of a screen whose code does not load says so, and is shown after a reload', async ({ page }) => {
  await page.route('**/assets/payments-card-*', (route) => route.abort());
  await logIn(page, 'admin@kasente.test', { to: '/desk?job=payOut' });
  await page.getByRole('table').getByRole('link').first().click();
  const notLoaded = page.getByRole('alert').filter({ hasText: 'This did not load' });
  await expect(notLoaded).toBeVisible();
  await picture(page, 'desk-case-part-not-loaded');
  await page.unroute('**/assets/payments-card-*');
  await notLoaded.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('region', { name: 'Payments' })).toBeVisible();
  await expect(notLoaded).toHaveCount(0);
});

test('the heading of figures has the same height before they load', async ({ page }) => {
  const letCome = await hold(page, '**/api/v1/desk/figures');
  await logIn(page, 'admin@kasente.test', { to: '/reports' });
  const figures = page.getByRole('region', { name: 'Decided in time' });
  const heading = figures.getByRole('heading').locator('..');
  await figures.scrollIntoViewIfNeeded();
  await expect(figures.locator('[aria-busy]')).toBeVisible();
  const before = await heading.boundingBox();
  letCome();
  await expect(figures.getByRole('button', { name: 'Show as table' })).toBeVisible();
  expect((await heading.boundingBox())?.height).toBe(before?.height);
});

test('a dialog stays open during its call, and shows the outcome', async ({ page }) => {
  await logIn(page, 'admin@kasente.test');
  const row = page.getByRole('row', { name: /Sarah Nabirye/ });
  const dialog = page.getByRole('dialog');
  for (const { path, opener, action, said } of [
    {
      path: 'persons/update_minimal_business',
      opener: /^Activate/,
      action: 'Update',
      said: 'Updates to this business person have been successful',
    },
    {
      path: 'persons/roles',
      opener: /^Roles/,
      action: 'Save roles',
      said: 'Updates to this business person have been successful',
    },
    {
      path: 'persons/deactivate',
      opener: /^Deactivate/,
      action: 'Deactivate',
      said: 'This person can no longer log in',
    },
    {
      path: 'persons/update_minimal_business',
      opener: /^Activate/,
      action: 'Activate',
      said: 'Updates to this business person have been successful',
    },
  ]) {
    const release = await hold(page, `**/api/v1/${path}`, 'POST');
    await row.getByRole('button', { name: opener }).click();
    await dialog.getByRole('button', { name: action, exact: true }).click();
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(0);
    await expect(dialog).toBeVisible();
    release();
    await expect(dialog).toBeHidden();
    await expect(page.getByText(said).last()).toBeVisible();
  }
});

test('the form for a limit has the focus, and gives it back to its button', async ({ page }) => {
  await logIn(page, 'staff@kasente.test', { to: '/businesses' });
  await page.getByRole('link', { name: 'Nakasero Traders Ltd' }).click();
  const limits = page.getByRole('region', { name: 'Limits' });
  await limits.getByRole('button', { name: 'Set Limit in USD' }).click();
  await expect(limits.getByLabel('New limit')).toBeFocused();
  await limits.getByLabel('Reason').fill('Three settled on time');
  await picture(page, 'business-limit-set');
  await limits.getByRole('button', { name: 'Cancel' }).click();
  await expect(limits.getByRole('button', { name: 'Set Limit in USD' })).toBeFocused();
});

test('a long single-word name neither scrolls a phone sideways nor pushes the close button off it', async ({
  page,
}) => {
  const name = `${'Nakivubo'.repeat(14)} Ltd`;
  // The pattern covers the business itself and its people.
  await alterAnswers(page, 'businesses/*', (answer: object) => (Array.isArray(answer) ? answer : { ...answer, name }));
  await alterAnswers(page, 'businesses/paged', (rows: object[]) => rows.map((row) => ({ ...row, name })));
  await page.setViewportSize(PHONE);
  await logIn(page, 'staff@kasente.test', { to: '/businesses' });
  await page.getByRole('link', { name }).first().click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expectNoSidewaysScrolling(page, 'a business with a long name');
  await page.getByRole('button', { name: 'Edit Business' }).click();
  await expect(page.getByRole('dialog', { name: 'Edit Business' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 });
});

test('earned limits stay visible while a page is turned, and when the last page is empty', async ({ page }) => {
  const raise = { businessTag: crypto.randomUUID(), currencyId: 1, currency: 'UGX', total: 11 };
  const earned = { ...raise, limit: 1_000_000, next: 1_250_000, settledOnTime: 3 };
  let lastPage: object[] = [{ ...earned, business: 'The eleventh' }];
  await page.route('**/api/v1/limits/earned', async (route) => {
    const first = Array.from({ length: 10 }, (_, index) => ({ ...earned, currencyId: index, business: `No ${index}` }));
    await route.fulfill({ json: route.request().postDataJSON().page === 1 ? first : lastPage });
  });
  await logIn(page, 'staff@kasente.test', { to: '/businesses' });
  const section = page.getByRole('region', { name: 'Earned a higher limit' });
  await expect(section.getByRole('listitem')).toHaveCount(10);
  await picture(page, 'businesses-earned-limits');
  const release = await hold(page, '**/api/v1/limits/earned', 'POST');
  await section.getByRole('button', { name: '2', exact: true }).click();
  await expect(section.getByRole('button', { name: '2', exact: true })).toBeFocused();
  await expect(section.getByRole('listitem').filter({ hasText: 'No 3' })).toBeVisible();
  release();
  await expect(section.getByRole('listitem').filter({ hasText: 'The eleventh' })).toBeVisible();
  lastPage = [];
  await page.reload();
  await section.getByRole('button', { name: '2', exact: true }).click();
  await expect(section.getByRole('listitem').filter({ hasText: 'No 3' })).toBeVisible();
  await expect(section.getByRole('button', { name: '1', exact: true })).toHaveAttribute('aria-current', 'page');
});

// A colleague changed the same thing meanwhile: the change is not undone, and the message says to load it again.

const CHANGED = 'Somebody changed this elsewhere. Load it again to see the latest';
const ADMIN = 'admin@kasente.test';

test('saving the name of a person whom a colleague deactivated does not bring them back', async ({ page }) => {
  const colleague = await officer(page, ADMIN);
  await logIn(page, 'staff@kasente.test');
  const row = page.getByRole('row', { name: /Sarah Nabirye/ });
  await row.getByRole('button', { name: /^Activate/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Update Person' });
  await dialog.getByLabel('Designation').fill('Managing Director');
  const { tag } = await firstRow<Tagged>(colleague, 'persons', 'Nabirye');
  await post(colleague, 'persons/deactivate', { tag });
  await dialog.getByRole('button', { name: 'Update', exact: true }).click();
  await expect(page.getByText(CHANGED)).toHaveCount(1);
  await expect(dialog.getByLabel('Designation')).toHaveValue('Managing Director');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(row).toContainText('Deactivated');
  await row.getByRole('button', { name: 'Activate Sarah Nabirye', exact: true }).click();
  await dialog.getByRole('button', { name: 'Activate', exact: true }).click();
  await expect(row).toContainText('Active');
});

test('roles that a colleague removed are not restored by an older dialog', async ({ page }) => {
  const colleague = await officer(page, ADMIN);
  await logIn(page, ADMIN);
  const row = page.getByRole('row', { name: /staff@kasente\.test/ });
  const roles = page.getByRole('dialog', { name: /^Roles of/ });
  await row.getByRole('button', { name: /^Roles/ }).click();
  const { tag } = await firstRow<Tagged>(colleague, 'persons', 'staff@');
  await post(colleague, 'persons/roles', { tag, perms: [] });
  await roles.getByRole('button', { name: 'Save roles' }).click();
  await expect(page.getByText(CHANGED)).toHaveCount(1);
  await roles.getByRole('button', { name: 'Cancel' }).click();
  await row.getByRole('button', { name: /^Roles/ }).click();
  await expect(roles.getByRole('checkbox', { name: 'Staff' })).not.toBeChecked();
  await roles.getByRole('checkbox', { name: 'Staff' }).check();
  await roles.getByRole('button', { name: 'Save roles' }).click();
  await expect(roles).toBeHidden();
});

test('a business that a colleague closed stays closed', async ({ page }) => {
  const colleague = await officer(page, ADMIN);
  await logIn(page, 'staff@kasente.test', { to: '/businesses' });
  await page.getByRole('link', { name: 'Jinja Agro Supplies Ltd' }).click();
  const open = page.getByRole('button', { name: 'Edit Business' });
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Edit Business' });
  await expect(dialog.getByRole('switch')).toBeChecked();
  const business = await firstRow<Tagged & Record<string, unknown>>(colleague, 'businesses/paged', 'Jinja Agro');
  const { tag, name, industryId, districtId, isClient, isBuyer } = business;
  await put(colleague, `businesses/${tag}`, { name, industryId, districtId, isClient, isBuyer, active: false });
  await dialog.getByRole('button', { name: 'Save Business' }).click();
  await expect(page.getByText(CHANGED)).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await open.click();
  await expect(dialog.getByRole('switch')).not.toBeChecked();
});

test('a limit that a colleague set is shown before another one replaces it', async ({ page }) => {
  const colleague = await officer(page, ADMIN);
  await logIn(page, 'staff@kasente.test', { to: '/businesses' });
  await page.getByRole('link', { name: 'Nakasero Traders Ltd' }).click();
  const section = page.getByRole('region', { name: 'Limits' });
  await section.getByRole('button', { name: 'Set Limit in USD' }).click();
  await section.getByLabel('New limit').fill('20000');
  await section.getByLabel('Reason').fill('Three settled on time');
  const { tag } = await firstRow<Tagged>(colleague, 'businesses/paged', 'Nakasero');
  const limits = await get<{ currency: string; currencyId: number }[]>(colleague, `businesses/${tag}/limits`);
  const currencyId = limits.find(({ currency }) => currency === 'USD')?.currencyId;
  await post(colleague, `businesses/${tag}/limits`, { currencyId, limit: 0, reason: 'Papers were forged' });
  await section.getByRole('button', { name: 'Set Limit', exact: true }).click();
  await expect(section.getByRole('alert')).toHaveText(CHANGED);
  await expect(section.getByRole('heading', { name: 'USD 0', exact: true })).toBeVisible();
  await expect(section.getByLabel('New limit')).toHaveValue('20,000.00');
  await section.getByRole('button', { name: 'Set Limit', exact: true }).click();
  // It was a raise at first; now it waits for the colleague, who entered 0.
  await expect(section.getByText('You proposed USD 20,000')).toBeVisible();
  await expect(section.getByRole('heading', { name: 'USD 0', exact: true })).toBeVisible();
});
