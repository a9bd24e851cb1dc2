import { expect, type Page } from '@playwright/test';
import { PHOTO } from './sample-files.ts';

/** Forms that more than one journey fills. */

declare global {
  interface Window {
    kasenteBeforeHydration?: { readonly hydrated: boolean };
  }
}

/** Waits until the application has a prerendered page's form: a letter typed into it, or a link beside it, is then its own. */
export async function hydrated(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => window.kasenteBeforeHydration?.hydrated)).toBe(true);
}

/** Chooses the first option with that in its name, typing part of it first where the select is searchable. */
export async function choose(page: Page, label: string, option: string, typed?: string): Promise<void> {
  const select = page.getByRole('combobox', { name: label });
  await select.click();
  if (typed !== undefined) await select.fill(typed);
  await page.getByRole('option', { name: option }).first().click();
}

/** Fills the sign-up form, all of it right. */
export async function fillSignUp(page: Page, phoneOrEmail: string, password: string): Promise<void> {
  // Before that, its selects are the browser's own.
  await hydrated(page);
  await page.getByLabel('Phone Number / Email').fill(phoneOrEmail);
  await page.getByRole('radio', { name: 'Female' }).check();
  await choose(page, 'Sector', 'Wholesale and retail trade');
  await choose(page, 'District/Location', 'Kampala');
  await page.getByLabel('Password', { exact: true }).fill(password);
}

/** Fills the invoice's card, all of it right. */
export async function fillInvoice(page: Page, number: string): Promise<void> {
  await page.getByLabel('Invoice number').fill(number);
  await page.getByRole('textbox', { name: 'Invoice date' }).fill('5 Jan 2026');
  await page.getByRole('textbox', { name: 'Invoice date' }).press('Tab');
  await page.getByLabel('Amount', { exact: true }).fill('1000000');
  await choose(page, 'Currency', 'UGX');
  await choose(page, 'Buyer', 'Pearl Hotels Group');
}

/** Presses what opens the file chooser, and chooses the photo of a document. */
export async function choosePhoto(page: Page, press: () => Promise<void>): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await press();
  await (await choosing).setFiles(PHOTO);
}
