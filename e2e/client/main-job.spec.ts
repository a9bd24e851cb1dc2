import type { Browser, Page } from '@playwright/test';
import { hydrated } from '#e2e/support/arrange.ts';
import { codeIn, expect, logIn, logOut, newPhone, test } from '#e2e/support/fixtures.ts';
import { photoOfDocument } from '#e2e/support/sample-photo.ts';

/** The main job: from a phone number nobody knows to an application that staff see. */

const PASSWORD = 'Boda-boda-2026!';

// As most people see it.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('sign up, be activated, enter an invoice, apply, upload, submit, be seen by staff', async ({
  page,
  browser,
  kasente,
}) => {
  const phone = newPhone();
  await signUp(page, phone);
  await page.getByLabel('Enter PIN').pressSequentially(codeIn(await kasente.newestMessage(phone)));
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('Account created successfully! Please log in.')).toBeVisible();

  await logIn(page, phone, PASSWORD);
  await expect(page.getByText('Account Activation in Progress')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Apply' })).toHaveCount(0);
  await logOut(page);

  await activate(browser, phone);
  expect(await kasente.newestMessage(phone)).toContain('active');

  await logIn(page, phone, PASSWORD);
  await page.getByRole('link', { name: 'Apply Now' }).click();
  const tag = await enterInvoice(page);
  await applyFor(page, '900000', '30 days');
  for (const type of ['Invoice copy', 'Proof of delivery or completed work', 'Contract or purchase order']) {
    await upload(page, type);
  }
  await submit(page);

  await page.reload();
  await expect(page.getByText('Submitted for Processing').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Submit Application' })).toHaveCount(0);
  await page.getByRole('link', { name: 'My Applications' }).first().click();
  await expect(page.getByRole('link', { name: 'INV/2026-777' })).toHaveAttribute('href', new RegExp(tag));
  await logOut(page);

  await logIn(page, 'staff@kasente.test');
  const row = page.getByRole('row', { name: /INV\/2026-777/ });
  await expect(row).toContainText('Nakasero Traders Ltd');
  await expect(row).toContainText('801,000');
  await row.getByRole('link', { name: 'INV/2026-777' }).click();
  await expect(page.getByText('Submitted for Processing').first()).toBeVisible();
  await expect(page.getByText('801,000').first()).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);
});

async function signUp(page: Page, phone: string): Promise<void> {
  await page.goto('/signup');
  await expect(page).toHaveTitle('Sign Up | Kasente');
  await expect(page.getByRole('heading', { name: 'Join Kasente' })).toBeVisible();
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

/** Chooses an option, typing part of it first where the select is searchable. */
async function choose(page: Page, label: string, option: string, typed?: string): Promise<void> {
  const select = page.getByRole('combobox', { name: label });
  await select.click();
  if (typed !== undefined) await select.fill(typed);
  await page.getByRole('option', { name: option }).click();
}

/** An administrator gives the newcomer a business, which activates them. */
async function activate(browser: Browser, phone: string): Promise<void> {
  const context = await browser.newContext();
  const admin = await context.newPage();
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
  await context.close();
}

/** Fills the invoice and waits for it to save itself; answers the tag that the address then carries. */
async function enterInvoice(page: Page): Promise<string> {
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

async function applyFor(page: Page, amount: string, period: string): Promise<void> {
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

async function upload(page: Page, type: string): Promise<void> {
  await expect(page.getByRole('button', { name: 'Submit Application' })).toBeDisabled();
  await page.getByRole('button', { name: `Upload ${type}` }).click();
  const dialog = page.getByRole('dialog', { name: `Upload ${type}` });
  const choosing = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose File' }).click();
  await (await choosing).setFiles({ name: 'photo.png', mimeType: 'image/png', buffer: photoOfDocument() });
  await dialog.getByRole('button', { name: 'Upload Document' }).click();
  await expect(page.getByText(`${type} was uploaded successfully`)).toBeVisible();
}

async function submit(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Submit Application' })).toBeEnabled();
  await page.getByRole('button', { name: 'Submit Application' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('801,000');
  await dialog.getByRole('button', { name: 'Agree and submit' }).click();
  await expect(page.getByText('Submitted for Processing').first()).toBeVisible();
}
