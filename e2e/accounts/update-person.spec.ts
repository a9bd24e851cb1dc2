import { expectNoSidewaysScrolling } from '#e2e/support/accessible.ts';
import { DESK, expect, logIn, PHONE, test, visit } from '#e2e/support/fixtures.ts';
import { choose } from '#e2e/support/forms.ts';
import { alterAnswers } from '#e2e/support/network.ts';

/** The fields of Update Person when it opens (docs/specification-coverage.md, 2). */

test("'N/A' does not count as a name, and an e-mail used for logging in is read-only", async ({ page }) => {
  await alterAnswers(page, 'persons', (rows: object[]) =>
    rows.map((row) => ({ ...row, first_name: 'N/A', last_name: 'N/A' })),
  );
  await logIn(page, 'staff@kasente.test');
  await page.getByRole('button', { name: 'Activate newcomer@kasente.test', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Update Person' });
  await expect(dialog.getByLabel('First name')).toHaveValue('');
  await expect(dialog.getByLabel('Last name')).toHaveValue('');
  await expect(dialog.getByLabel('Designation')).toBeEditable();
  await expect(dialog.getByLabel('Phone')).toBeEditable();
  await expect(dialog.getByLabel('Email')).toHaveValue('newcomer@kasente.test');
  await expect(dialog.getByLabel('Email')).not.toBeEditable();
  await expect(page.getByText('N/A')).toHaveCount(0);
});

test('its buttons are always in sight, long names wrap, and a business added from it is chosen', async ({ page }) => {
  const name = `Namirembe Road ${'Hardware and General Merchandise '.repeat(2)}${Date.now()}`;
  await alterAnswers(page, 'persons', (rows: { status: string }[]) =>
    rows.map((row) => ({
      ...row,
      stated:
        row.status === 'Verified' ? { business: name, tin: null, industryId: 2, districtId: 3, match: null } : null,
    })),
  );
  await logIn(page, 'staff@kasente.test');
  const opener = page.getByRole('button', { name: 'Activate newcomer@kasente.test', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Update Person' });
  const adds = dialog.getByRole('button', { name: `Add business ${name}` });
  for (const size of [DESK, PHONE]) {
    await page.setViewportSize(size);
    await opener.click();
    for (const field of [dialog.getByLabel('First name'), adds]) {
      await field.scrollIntoViewIfNeeded();
      for (const button of ['Cancel', 'Activate'])
        await expect(dialog.getByRole('button', { name: button, exact: true })).toBeInViewport({ ratio: 1 });
    }
    const label = adds.locator('.mantine-Button-label');
    expect(await label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
    await expectNoSidewaysScrolling(page, 'Update Person');
    if (size === DESK) await dialog.getByRole('button', { name: 'Cancel' }).click();
  }
  const choice = dialog.getByRole('combobox', { name: 'Business' });
  await choice.fill('Namirembe');
  await adds.click();
  const adding = page.getByRole('dialog', { name: 'Add Business' });
  await adding.getByRole('button', { name: 'Save Business' }).click();
  await expect(adding).toBeHidden();
  expect(await choice.inputValue()).toBe(name);
});

test('typing is not lost by a click beside the dialog or by Escape', async ({ page }) => {
  await logIn(page, 'admin@kasente.test');
  // Others may have signed up since and fill the first page.
  await page.getByRole('searchbox', { name: 'Search users' }).fill('0700000001');
  const row = page.getByRole('row', { name: /Sarah Nabirye/ });
  const beside = () => page.mouse.click(5, 300);
  const update = page.getByRole('dialog', { name: 'Update Person' });
  const open = row.getByRole('button', { name: /^Activate/ });
  await open.click();
  await update.getByLabel('Designation').fill('Managing Director');
  await beside();
  await page.keyboard.press('Escape');
  await expect(update.getByLabel('Designation')).toHaveValue('Managing Director');
  await update.getByRole('button', { name: 'Cancel' }).click();
  await expect(update).toBeHidden();
  // With nothing typed, Escape closes it; a choice from a list counts as typing.
  await open.click();
  await expect(update.getByLabel('Designation')).toHaveValue('Director');
  await beside();
  await expect(update).toBeVisible();
  await choose(page, 'Business', 'Jinja Agro Supplies Ltd');
  await page.keyboard.press('Escape');
  await expect(update.getByRole('combobox', { name: 'Business' })).toHaveValue('Jinja Agro Supplies Ltd');
  await update.getByRole('button', { name: 'Cancel' }).click();
  await open.click();
  await expect(update).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(update).toBeHidden();

  const roles = page.getByRole('dialog', { name: 'Roles of Sarah Nabirye' });
  await row.getByRole('button', { name: /^Roles/ }).click();
  await roles.getByRole('checkbox', { name: 'Staff' }).check();
  await beside();
  await page.keyboard.press('Escape');
  await expect(roles.getByRole('checkbox', { name: 'Staff' })).toBeChecked();
  await visit(page, '/businesses');
  await page.getByRole('button', { name: 'Add Business' }).click();
  const business = page.getByRole('dialog', { name: 'Add Business' });
  await business.getByLabel('Name').fill('Gulu Grain');
  await beside();
  await page.keyboard.press('Escape');
  await expect(business.getByLabel('Name')).toHaveValue('Gulu Grain');
});
