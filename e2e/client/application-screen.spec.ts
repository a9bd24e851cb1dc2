import { newDraft, stored, uploadTo } from '#e2e/support/arrange.ts';
import { keptTyping } from '#e2e/support/bad-line.ts';
import { expect, logIn, test, visit } from '#e2e/support/fixtures.ts';
import { photoOfDocument } from '#e2e/support/sample-photo.ts';

/** The invoice-and-application screen beside the main job (docs/specification-coverage.md, 2, 4 and 9). */

const photo = { name: 'photo.png', mimeType: 'image/png', buffer: photoOfDocument() };

test('its read-only figures, hidden tags and status; the floating menu with its two entries', async ({ page }) => {
  await logIn(page, '0700000001');
  const { tag } = await newDraft(page);
  await visit(page, `/invoice-discounting-application/${tag}`);
  const auth = JSON.parse((await stored(page, 'auth')) ?? '');
  await expect(page.locator('input[type=hidden][name=tag]')).toHaveValue(tag);
  await expect(page.locator('input[type=hidden][name=businessTag]')).toHaveValue(auth.user.bizTag);
  await expect(page.getByRole('img', { name: 'Draft' })).toBeVisible();
  const pill = page.locator('[data-status=draft]');
  await expect(pill).toHaveText('Draft');

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
  if (before === null) throw new Error('the floating menu is not there');
  const drag = async (by: number, down: number): Promise<void> => {
    const box = await trigger.boundingBox();
    if (box === null) throw new Error('the floating menu is not there');
    await page.mouse.move(box.x + 28, box.y + 28);
    await page.mouse.down();
    await page.mouse.move(box.x + 28 + by, box.y + 28 + down, { steps: 5 });
    await page.mouse.up();
    await expect(page.getByRole('menu')).toHaveCount(0);
  };
  await drag(-400, 0);
  await expect.poll(async () => (await trigger.boundingBox())?.x).toBe(before.x - 400);
  // Over a field it does not stay.
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

test('a document opens in a new tab and is deleted after a question', async ({ page, context }) => {
  await logIn(page, '0700000001');
  const draft = await newDraft(page);
  await uploadTo(page, draft, 'Invoice copy');
  await visit(page, `/invoice-discounting-application/${draft.tag}`);
  const row = page.getByRole('row', { name: /Invoice copy/ });
  await expect(row.getByRole('cell').first()).toHaveText('1');
  const opened = context.waitForEvent('page');
  await row.getByRole('link', { name: 'Invoice copy' }).click();
  const tab = await opened;
  await expect(tab).toHaveURL(/\/api\/v1\/files\/view\/[0-9a-f-]{36}$/);
  await expect(tab.locator('img')).toBeVisible();
  await tab.close();

  await row.getByRole('button', { name: 'Options for Invoice copy' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['View', 'Replace', 'Delete']);
  const viewed = context.waitForEvent('page');
  await page.getByRole('menuitem', { name: 'View' }).click();
  await (await viewed).close();
  await row.getByRole('button', { name: 'Options for Invoice copy' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Invoice copy?' });
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Invoice copy was deleted')).toBeVisible();
  await expect(row.getByRole('button', { name: 'Upload Invoice copy' })).toBeFocused();
});

test('the upload modal stays when it is clicked past, shows how far it is, and can be cancelled', async ({ page }) => {
  await logIn(page, '0700000001');
  const { tag } = await newDraft(page);
  await visit(page, `/invoice-discounting-application/${tag}`);
  await page.getByRole('button', { name: 'Upload Bank statement' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload Bank statement' });
  await expect(dialog).toBeVisible();
  await page.mouse.click(5, 5);
  await dialog.locator('input[type=file]').setInputFiles(photo);
  await page.mouse.click(1360, 760);
  await expect(dialog.getByText('photo.png')).toBeVisible();

  // On its way and never answered.
  await page.route('**/files/uploads/*/parts/0', () => undefined);
  const asked = page.waitForRequest('**/files/uploads/*/parts/0');
  await dialog.getByRole('button', { name: 'Upload Document' }).click();
  await asked;
  await expect(dialog.getByRole('progressbar', { name: 'Upload' })).toHaveAttribute('aria-valuenow', /^\d+$/);
  await expect(dialog.getByText(/^Uploading… \d+%$|^Uploaded 100%\. Checking the document…$/)).toBeVisible();
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

test('what is typed without a network is kept, also over a reload, and saved when the network is back', async ({
  page,
  context,
}) => {
  await page.clock.install();
  await logIn(page, '0700000001');
  const { tag, number } = await newDraft(page);
  await visit(page, `/invoice-discounting-application/${tag}`);
  await expect(page.getByLabel('Amount applied for')).toHaveValue('900,000.00');
  await context.setOffline(true);
  await page.getByLabel('Invoice number').fill(`${number}-OFF`);
  await page.getByLabel('Amount applied for').fill('700000');
  await page.clock.runFor(1500);
  await expect(
    page.getByText('Saved on this computer: No connection. Check your network and try again.'),
  ).toBeVisible();
  await expect(page.getByText('No connection. Waiting for it to come back.')).toBeVisible();
  await expect(page.getByLabel('Invoice number')).toHaveValue(`${number}-OFF`);
  await page.clock.runFor(60_000);
  await expect(page.getByText(/^Saved on this computer: No connection/)).toBeVisible();
  expect(await keptTyping(page)).toContain(`${number}-OFF`);

  await context.setOffline(false);
  await page.reload();
  await expect(page.getByLabel('Invoice number')).toHaveValue(`${number}-OFF`);
  await expect(page.getByLabel('Amount applied for')).toHaveValue('700,000.00');
  await page.clock.runFor(3000);
  // Without a time if it was saved before the reload, as soon as the network was back.
  await expect(page.getByText(/^Saved(?: \d\d:\d\d)?$/)).toBeVisible();
  await expect.poll(() => keptTyping(page)).toBe('[]');
  const kept = await page.request.get(`/api/v1/invoices/${tag}`);
  expect(await kept.json()).toMatchObject({
    invoiceNumber: `${number}-OFF`,
    discountApplication: { amountAppliedFor: 700_000, feesCharged: 77_000, amountReceived: 623_000 },
  });
});

test('the calendar steps from days to months to years, its weeks begin on Monday', async ({ page }) => {
  await logIn(page, '0700000001');
  await visit(page, '/application/start');
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
  await calendar.getByRole('button', { name: '2025', exact: true }).click();
  await calendar.getByRole('button', { name: 'Mar', exact: true }).click();
  await calendar.getByRole('button', { name: '4 March 2025', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Invoice date' })).toHaveValue('4 Mar 2025');
});
