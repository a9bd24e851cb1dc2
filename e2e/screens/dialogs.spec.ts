import { hold } from '#e2e/support/arrange.ts';
import { expect, logIn, test, visit } from '#e2e/support/fixtures.ts';

/** Dialogs while their call is on the way, beside the mouse, and under names that are too long. */

test.use({ world: 'staff acts' });
test.describe.configure({ mode: 'default' });

test('a dialog whose code does not arrive says so, and can be opened after the page is loaded again', async ({
  page,
}) => {
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
});

test('a part of a screen whose code does not arrive says so, and is there when the page is loaded again', async ({
  page,
}) => {
  await page.route('**/assets/staff-charts-*', (route) => route.abort());
  await logIn(page, 'admin@kasente.test');
  const notLoaded = page.getByRole('alert').filter({ hasText: 'This did not load' });
  await expect(notLoaded).toBeVisible();
  await page.unroute('**/assets/staff-charts-*');
  await notLoaded.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('region', { name: 'Decided in time' })).toBeVisible();
  await expect(notLoaded).toHaveCount(0);
});

test('a dialog is not left while its call is on the way, and says how it ended', async ({ page }) => {
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

test('the reason of a limit is not lost by a click beside it, and the focus stays with the limit', async ({ page }) => {
  await logIn(page, 'staff@kasente.test');
  await visit(page, '/businesses');
  await page.getByRole('button', { name: 'Limits of Nakasero Traders Ltd' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Set Limit in USD' }).click();
  await expect(dialog.getByLabel('New limit')).toBeFocused();
  await dialog.getByLabel('Reason').fill('Three settled on time');
  await page.mouse.click(5, 300);
  await page.keyboard.press('Escape');
  await expect(dialog.getByLabel('Reason')).toHaveValue('Three settled on time');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByRole('button', { name: 'Set Limit in USD' })).toBeFocused();
});

test('a name of one long word leaves the button that closes the dialog on a phone’s screen', async ({ page }) => {
  const name = `${'Nakivubo'.repeat(14)} Ltd`;
  await page.route('**/api/v1/businesses/paged', async (route) => {
    const response = await route.fetch();
    const rows = await response.json();
    await route.fulfill({ response, json: rows.map((row: object) => ({ ...row, name, isClient: true })) });
  });
  await page.setViewportSize({ width: 360, height: 740 });
  await logIn(page, 'staff@kasente.test');
  await visit(page, '/businesses');
  await page
    .getByRole('button', { name: /^Limits of/ })
    .first()
    .click();
  await expect(page.getByRole('dialog', { name: `Limits of ${name}` })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 });
});

test('who has earned a higher limit stays on the screen while a page is turned, and when the last one is empty', async ({
  page,
}) => {
  const raise = { businessTag: crypto.randomUUID(), currencyId: 1, currency: 'UGX', total: 11 };
  const earned = { ...raise, limit: 1_000_000, next: 1_250_000, settledOnTime: 3 };
  let lastPage: object[] = [{ ...earned, business: 'The eleventh' }];
  await page.route('**/api/v1/limits/earned', async (route) => {
    const first = Array.from({ length: 10 }, (_, index) => ({ ...earned, currencyId: index, business: `No ${index}` }));
    await route.fulfill({ json: route.request().postDataJSON().page === 1 ? first : lastPage });
  });
  await logIn(page, 'staff@kasente.test');
  await visit(page, '/businesses');
  const section = page.getByRole('region', { name: 'Earned a higher limit' });
  await expect(section.getByRole('listitem')).toHaveCount(10);
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
