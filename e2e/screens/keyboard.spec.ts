import type { Locator, Page } from '@playwright/test';
import { MANDATORY } from '#e2e/support/arrange.ts';
import { DEMONSTRATION_PASSWORD, expect, test } from '#e2e/support/fixtures.ts';
import { choosePhoto } from '#e2e/support/forms.ts';
import { chooseByKey, press, tabTo, typeInto } from '#e2e/support/keyboard.ts';

/** A client's main job without a mouse: every step by Tab, arrows, Enter, Space and letters. */

const textbox = (page: Page, name: string): Locator => page.getByRole('textbox', { name, exact: true });
const select = (page: Page, name: string): Locator => page.getByRole('combobox', { name });

async function upload(page: Page, type: string): Promise<void> {
  await press(page, page.getByRole('button', { name: `Upload ${type}` }));
  const dialog = page.getByRole('dialog', { name: `Upload ${type}` });
  await expect(dialog.getByRole('button', { name: 'Choose File' })).toBeFocused();
  await choosePhoto(page, () => page.keyboard.press('Enter'));
  await press(page, dialog.getByRole('button', { name: 'Upload Document' }), 'Space');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: `Options for ${type}` })).toBeFocused();
}

test('log in, enter an invoice, apply, upload, submit and log out by keyboard alone', async ({ page }) => {
  const number = `KEY-${Date.now()}`;
  await page.goto('/login');
  await typeInto(page, textbox(page, 'Phone or Email'), '0700000001');
  await typeInto(page, page.getByLabel('Password', { exact: true }), DEMONSTRATION_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/home$/);

  await press(page, page.getByRole('link', { name: 'Apply Now' }));
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await typeInto(page, textbox(page, 'Invoice number'), number);
  await typeInto(page, textbox(page, 'Invoice date'), '5 Jan 2026');
  await typeInto(page, textbox(page, 'Amount'), '1000000');
  await chooseByKey(page, select(page, 'Currency'), 'UGX', false);
  await chooseByKey(page, select(page, 'Buyer'), 'Pearl Hotels Group', true);
  await expect(page.getByText('Your invoice is now saved.')).toBeVisible();
  await typeInto(page, textbox(page, 'Amount applied for'), '900000');
  await chooseByKey(page, select(page, 'Financing period'), '30 days', false);
  await expect(page.getByText('Your Application was saved successfully. You can edit or submit.')).toBeVisible();
  for (const type of MANDATORY) await upload(page, type);

  const submit = page.getByRole('button', { name: 'Submit Application' });
  await expect(submit).toBeEnabled();
  await tabTo(page, submit);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Submit this application?' });
  await expect(dialog.getByRole('button', { name: 'Not yet' })).toBeFocused();
  // Changing one's mind: Escape changes nothing.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(submit).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText(number);
  for (const figure of ['900,000', '30 days', '99,000', '801,000']) await expect(dialog).toContainText(figure);
  await tabTo(page, dialog.getByRole('button', { name: 'Agree and submit' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Application Submitted')).toBeVisible();
  await expect(page.getByText('Submitted for Processing').first()).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  // From the top of the page: the link past the header comes first, then the menu.
  await page.reload();
  await expect(page.getByText('Submitted for Processing').first()).toBeVisible();
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  const entries = await page.evaluate(() => history.length);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  expect(await page.evaluate(() => history.length)).toBe(entries);
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('link', { name: 'Log Out' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/login$/);
});
