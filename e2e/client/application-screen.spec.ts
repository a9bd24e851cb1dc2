import { openNew, stored } from '#e2e/support/arrange.ts';
import { expect, logIn, test } from '#e2e/support/fixtures.ts';
import { picture } from '#e2e/support/pictures.ts';
import { PHOTO } from '#e2e/support/sample-files.ts';

/** The invoice-and-application screen, apart from the main job (docs/specification-coverage.md, 2, 4 and 9). */

test('its read-only figures, hidden tags and status; the floating menu with its two entries', async ({ page }) => {
  const { tag } = await openNew(page, '0700000001');
  const auth = JSON.parse((await stored(page, 'auth')) ?? '');
  await expect(page.locator('input[type=hidden][name=tag]')).toHaveValue(tag);
  await expect(page.locator('input[type=hidden][name=businessTag]')).toHaveValue(auth.user.bizTag);
  await expect(page.getByRole('img', { name: 'Draft' })).toBeVisible();
  const pill = page.locator('[data-status=draft]');
  await expect(pill).toHaveText('Draft');
  await picture(page, 'draft');

  const detail = page.getByRole('region', { name: 'Application Detail' });
  await expect(detail.getByRole('textbox', { name: 'Date of application' })).toHaveValue('6 Jan 2026');
  for (const [label, value] of [
    ['Reference', /[0-9a-f-]{36}/],
    ['Discount percentage', /90(\.0)?%/],
    ['Fee rate %', /11%?/],
    ['Fees charged', /99,000/],
    ['Amount to be received', /801,000/],
  ] as const) {
    await expect(detail.getByRole('textbox', { name: label })).toHaveCount(0);
    const figure = detail.getByText(label, { exact: true }).locator('..');
    await expect(figure, label).toContainText(value);
  }

  const trigger = page.getByRole('button', { name: 'Applications menu' });
  const before = await trigger.boundingBox();
  expect([before?.width, before?.height]).toEqual([56, 56]);
  if (before === null) throw new Error('the floating menu is missing');
  const drag = async (by: number, down: number): Promise<void> => {
    const box = await trigger.boundingBox();
    if (box === null) throw new Error('the floating menu is missing');
    await page.mouse.move(box.x + 28, box.y + 28);
    await page.mouse.down();
    await page.mouse.move(box.x + 28 + by, box.y + 28 + down, { steps: 5 });
    await page.mouse.up();
    await expect(page.getByRole('menu')).toHaveCount(0);
  };
  await drag(-400, 0);
  await expect.poll(async () => (await trigger.boundingBox())?.x).toBe(before.x - 400);
  // Dropped over a field, it does not stay there.
  await drag(-100, 140);
  await expect.poll(() => trigger.boundingBox()).toEqual(before);

  await trigger.click();
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem')).toHaveText(['New Application', 'My Applications']);
  await expect
    .poll(() => menu.evaluate((element) => (element instanceof HTMLElement ? element.offsetWidth : 0)))
    .toBe(220);
  await menu.getByRole('menuitem', { name: 'New Application' }).click();
  await expect(page).toHaveURL(/\/application\/start$/);
  await expect(page.getByLabel('Invoice number')).toHaveValue('');
  await trigger.click();
  await page.getByRole('menuitem', { name: 'My Applications' }).click();
  await expect(page).toHaveURL(/\/invoices\/applications$/);
});

test('the upload modal stays open on a click beside it, shows its progress, and can be cancelled', async ({ page }) => {
  await openNew(page, '0700000001');
  await page.getByRole('button', { name: 'Upload Bank statement' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload Bank statement' });
  await expect(dialog).toBeVisible();
  await page.mouse.click(5, 5);
  await dialog.locator('input[type=file]').setInputFiles(PHOTO);
  await page.mouse.click(1360, 760);
  await expect(dialog.getByText('photo.png')).toBeVisible();

  // The upload is sent and never answered.
  await page.route('**/files/uploads/*/parts/0', () => undefined);
  const asked = page.waitForRequest('**/files/uploads/*/parts/0');
  await dialog.getByRole('button', { name: 'Upload Document' }).click();
  await asked;
  await expect(dialog.getByRole('progressbar', { name: 'Upload' })).toHaveAttribute('aria-valuenow', /^\d+$/);
  await expect(dialog.getByText(/^Uploading… \d+%$|^Uploaded 100%\. Checking the document…$/)).toBeVisible();
  await picture(page, 'upload-running');
  await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  const ended = page.waitForEvent('requestfailed');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect((await ended).url()).toMatch(/\/parts\/0$/);
  await expect(dialog.getByRole('button', { name: 'Upload Document' })).toBeFocused();
  await expect(page.getByText('Document not saved.')).toHaveCount(0);

  await page.unroute('**/files/uploads/*/parts/0');
  await dialog.getByRole('button', { name: 'Upload Document' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Options for Bank statement' })).toBeVisible();
});

test('the calendar steps from days to months to years, its weeks begin on Monday', async ({ page }) => {
  await logIn(page, '0700000001', { to: '/application/start' });
  await page.getByRole('textbox', { name: 'Invoice date' }).click();
  const calendar = page
    .locator('[data-dates-dropdown], .mantine-Popover-dropdown')
    .filter({ has: page.getByRole('table') });
  await expect(calendar.locator('thead th')).toHaveText(['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']);
  for (const day of await calendar.locator('tbody tr').nth(1).getByRole('button').all()) {
    const column = await day.evaluate((element) => element.closest('td')?.cellIndex);
    expect(await day.getAttribute('data-weekend'), `column ${column}`).toBe(
      column === 5 || column === 6 ? 'true' : null,
    );
  }
  await calendar.getByRole('button', { name: /^[A-Z][a-z]+ 20\d\d$/ }).click();
  await expect(calendar.getByRole('button', { name: 'Next year' })).toBeVisible();
  await calendar.getByRole('button', { name: /^20\d\d$/ }).click();
  await expect(calendar.getByRole('button', { name: 'Previous decade' })).toBeVisible();
  await picture(page, 'new-application-calendar-years');
  await calendar.getByRole('button', { name: '2025', exact: true }).click();
  await calendar.getByRole('button', { name: 'Mar', exact: true }).click();
  await calendar.getByRole('button', { name: '4 March 2025', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Invoice date' })).toHaveValue('4 Mar 2025');
});
