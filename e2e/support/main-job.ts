import type { Browser, Page } from '@playwright/test';
import { expect, logIn } from './fixtures.ts';
import { choose, choosePhoto, hydrated } from './forms.ts';

/** The parts of the main job, from an unknown phone number to a submitted application, as people perform them. */

export const PASSWORD = 'Boda-boda-2026!';

/** Fills the open sign-up form, with a weak password first. */
export async function signUp(page: Page, phone: string): Promise<void> {
  // Before that, its selects are the browser's own.
  await hydrated(page);
  await page.getByLabel('Phone Number / Email').fill(phone);
  await page.getByRole('radio', { name: 'Female' }).check();
  await choose(page, 'Sector', 'Wholesale and retail trade');
  await choose(page, 'District/Location', 'Mbarara City', 'mbarara c');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await expect(page.getByText('Weak password. Include lower case, upper case, numbers and symbols.')).toBeVisible();
  await expect(page.getByText('Password must be at least 8 characters')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await expect(page.getByText('Password is strong')).toBeVisible();
  await page.getByRole('button', { name: 'Agree & Join' }).click();
  await expect(page.getByRole('heading', { name: 'Enter PIN' })).toBeVisible();
  await expect(page.getByText(/Expires in \d+ seconds/)).toBeVisible();
}

/** An administrator assigns the newcomer to a business, which activates them. */
export async function activate(browser: Browser, phone: string): Promise<void> {
  const admin = await browser.newPage();
  await logIn(admin, 'admin@kasente.test');
  await admin.getByRole('searchbox', { name: 'Search users' }).fill(phone);
  const row = admin.getByRole('row', { name: new RegExp(phone) });
  await row.getByRole('button', { name: /^Activate/ }).click();
  const dialog = admin.getByRole('dialog', { name: 'Update Person' });
  await expect(dialog.getByLabel('Phone')).toHaveValue(phone);
  await expect(dialog.getByLabel('Phone')).not.toBeEditable();
  await dialog.getByLabel('First name').fill('A');
  await dialog.getByLabel('Last name').fill('Atuhaire');
  await dialog.getByRole('button', { name: /Update|Save|Activate/ }).click();
  await expect(dialog.getByText('First name should have at least 2 letters')).toBeVisible();
  await dialog.getByLabel('First name').fill('Ruth');
  const business = dialog.getByRole('combobox', { name: 'Business' });
  await business.click();
  await business.fill('nakasero');
  await admin.getByRole('option', { name: 'Nakasero Traders Ltd' }).click();
  await dialog.getByRole('button', { name: /Update|Save|Activate/ }).click();
  await expect(admin.getByText('Updates to this business person have been successful')).toBeVisible();
  await admin.close();
}

/** Fills in the invoice and waits for it to save itself; returns the tag from the new address. */
export async function enterInvoice(page: Page): Promise<string> {
  await expect(page.getByRole('heading', { name: 'Invoice Details' })).toBeVisible();
  await page.getByLabel('Invoice number').fill('INV/2026-777');
  await page.getByRole('textbox', { name: 'Invoice date' }).fill('5 Jan 2026');
  await page.getByLabel('Amount', { exact: true }).fill('1000000');
  await choose(page, 'Currency', 'UGX');
  await choose(page, 'Buyer', 'Pearl Hotels Group', 'pearl');
  await expect(page.getByText('Your invoice is now saved.')).toBeVisible();
  await expect(page).toHaveURL(/\/invoice-discounting-application\/[0-9a-f-]{36}$/);
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('1,000,000.00');
  return page.url().slice(-36);
}

/** Fills in the application, with too high an amount first, and waits for it to save itself. */
export async function applyFor(page: Page, amount: string, period: string): Promise<void> {
  await page.getByLabel('Amount applied for').fill('950000');
  await page.getByLabel('Amount applied for').blur();
  await expect(page.getByText('Amount applied for should be less than invoice amount', { exact: true })).toBeVisible();
  await page.getByLabel('Amount applied for').fill(amount);
  await choose(page, 'Financing period', period);
  await expect(page.getByText('* Fees are paid upfront.')).toBeVisible();
  await expect(page.getByText('99,000').first()).toBeVisible();
  await expect(page.getByText('801,000').first()).toBeVisible();
  await expect(page.getByText('Your Application was saved successfully. You can edit or submit.')).toBeVisible();
}

/** Uploads a photo as a document of that type. */
export async function upload(page: Page, type: string): Promise<void> {
  await expect(page.getByRole('button', { name: 'Submit Application' })).toBeDisabled();
  await page.getByRole('button', { name: `Upload ${type}` }).click();
  const dialog = page.getByRole('dialog', { name: `Upload ${type}` });
  await choosePhoto(page, () => dialog.getByRole('button', { name: 'Choose File' }).click());
  await dialog.getByRole('button', { name: 'Upload Document' }).click();
  await expect(page.getByText(`${type} was uploaded successfully`)).toBeVisible();
}

/** Agrees to the key facts. */
export async function submit(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Submit Application' })).toBeEnabled();
  await page.getByRole('button', { name: 'Submit Application' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('801,000');
  await dialog.getByRole('button', { name: 'Agree and submit' }).click();
  await expect(page.getByText('Submitted for Processing').first()).toBeVisible();
}
