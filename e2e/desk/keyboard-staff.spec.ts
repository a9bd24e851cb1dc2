import type { Locator, Page } from '@playwright/test';
import { newPerson } from '#e2e/support/arrange.ts';
import { expect, signIn, test } from '#e2e/support/fixtures.ts';
import { chooseByKey, press, tabTo, typeInto } from '#e2e/support/keyboard.ts';

/** Staff's tasks by keyboard alone: people, businesses, lists, and reading a record. */

/** Finds a person by phone; returns the only row left. */
async function find(page: Page, phone: string): Promise<Locator> {
  await typeInto(page, page.getByRole('searchbox', { name: 'Search users' }), phone);
  await page.keyboard.press('Enter');
  const row = page.getByRole('row', { name: new RegExp(phone) });
  await expect(row).toBeVisible();
  await expect(page.getByRole('table', { name: 'Users' }).getByRole('rowheader')).toHaveCount(1);
  return row;
}

test('the keyboard finds a newcomer, activates and deactivates them', async ({ page, kasente }) => {
  const phone = await newPerson(page, kasente);
  await signIn(page, 'staff@kasente.test', '/home');
  const row = await find(page, phone);
  const activate = row.getByRole('button', { name: /^Activate/ });
  await press(page, activate);
  const form = page.getByRole('dialog', { name: 'Update Person' });
  await expect(form.getByLabel('First name')).toBeFocused();
  // Changing one's mind: Escape changes nothing and returns the focus.
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  await expect(activate).toBeFocused();
  await page.keyboard.press('Enter');

  await expect(form.getByLabel('First name')).toBeFocused();
  await page.keyboard.type('Ruth');
  await page.keyboard.press('Enter');
  await expect(form.getByText('Last name should have at least 2 letters')).toBeVisible();
  await expect(form.getByLabel('Last name')).toBeFocused();
  await page.keyboard.type('Atuhaire');
  await typeInto(page, form.getByLabel('Designation'), 'Owner');
  await chooseByKey(page, form.getByRole('combobox', { name: 'Business' }), 'Nakasero Traders Ltd', true);
  await press(page, form.getByRole('button', { name: 'Activate' }));
  await expect(page.getByText('Updates to this business person have been successful')).toBeVisible();
  await expect(form).toBeHidden();
  await expect(row).toContainText('Active');
  await expect(activate).toBeFocused();

  const deactivate = row.getByRole('button', { name: /^Deactivate Ruth Atuhaire/ });
  await tabTo(page, deactivate, 'Shift+Tab');
  await page.keyboard.press('Space');
  const question = page.getByRole('dialog', { name: 'Deactivate Ruth Atuhaire?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(deactivate).toBeFocused();
  await page.keyboard.press('Enter');
  await press(page, question.getByRole('button', { name: 'Deactivate' }));
  await expect(row).toContainText('Deactivated');
  await expect(deactivate).toBeFocused();
});

test('the keyboard adds a business and edits it', async ({ page }) => {
  const name = `Keyboard Traders ${Date.now()}`;
  await signIn(page, 'staff@kasente.test', '/home');
  await press(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Businesses' }));
  await expect(page).toHaveURL(/\/businesses$/);
  const add = page.getByRole('button', { name: 'Add Business' });
  await press(page, add);
  const adding = page.getByRole('dialog', { name: 'Add Business' });
  await expect(adding.getByLabel('Name')).toBeFocused();
  await page.keyboard.type(name);
  // Of several refused fields, the first on the screen gets the focus.
  const tin = String(Date.now()).slice(-10);
  await typeInto(page, adding.getByLabel('TIN'), tin.slice(0, -1));
  await press(page, adding.getByRole('button', { name: 'Save Business' }));
  await expect(adding.getByRole('combobox', { name: 'Sector' })).toBeFocused();
  await typeInto(page, adding.getByLabel('TIN'), tin);
  await chooseByKey(page, adding.getByRole('combobox', { name: 'Sector' }), 'Manufacturing', true);
  await chooseByKey(page, adding.getByRole('combobox', { name: 'District/Location' }), 'Kabale', true);
  await press(page, adding.getByRole('checkbox', { name: 'Buyer' }), 'Space');
  await press(page, adding.getByRole('button', { name: 'Save Business' }));
  await expect(adding).toBeHidden();
  await expect(add).toBeFocused();

  await typeInto(page, page.getByRole('searchbox', { name: 'Search businesses' }), name);
  await page.keyboard.press('Enter');
  const row = page.getByRole('row', { name: new RegExp(name) });
  await expect(row).toContainText('Client and buyer');
  await press(page, row.getByRole('link', { name }));
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  const edit = page.getByRole('button', { name: 'Edit Business' });
  await press(page, edit);
  const editing = page.getByRole('dialog', { name: 'Edit Business' });
  await press(page, editing.getByRole('checkbox', { name: 'Client' }), 'Space');
  await press(page, editing.getByRole('switch', { name: 'Active' }), 'Space');
  await press(page, editing.getByRole('button', { name: 'Save Business' }));
  await expect(editing).toBeHidden();
  await expect(page.getByRole('main').getByText('Inactive')).toBeVisible();
  await expect(edit).toBeFocused();
});

test('the keyboard turns the pages of a list, filters it, and reads a record', async ({ page }) => {
  await signIn(page, 'staff@kasente.test', '/home');
  const table = page.getByRole('table', { name: 'All Applications' });
  await expect(table.getByRole('rowheader')).toHaveCount(10);
  await press(
    page,
    page.getByRole('navigation', { name: 'Pages of All Applications' }).getByRole('button', { name: 'Page 2' }),
  );
  await expect(page).toHaveURL(/\/home\?applications-page=2$/);
  await expect(page.getByText(/^All Applications: 11–\d+ of \d+$/)).toBeVisible();

  const filter = page.getByRole('combobox', { name: 'Status of applications' });
  await tabTo(page, filter, 'Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await chooseByKey(page, filter, 'Submitted', false);
  await expect(page).toHaveURL(/\/home\?applications-filter=Submitted$/);
  await expect(filter).toBeFocused();
  await press(page, table.getByRole('link', { name: 'NT-2026-038' }));
  await expect(page).toHaveURL(/\/invoice-discounting-application\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  // There is nothing to type in, but the documents can be opened.
  await expect(page.getByRole('textbox')).toHaveCount(0);
  const viewed = page.context().waitForEvent('response', (each) => /\/files\/view\/[0-9a-f-]{36}$/.test(each.url()));
  await press(page, page.getByRole('link', { name: 'View Invoice copy' }));
  expect((await viewed).status()).toBe(200);
});
