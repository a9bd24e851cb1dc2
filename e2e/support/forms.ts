import { expect, type Page } from '@playwright/test';
import { PHOTO } from './sample-files.ts';

/** Forms that several journeys fill in. */

declare global {
  interface Window {
    kasenteBeforeHydration?: { readonly hydrated: boolean };
  }
}

/**
 * Waits until the application has taken over a prerendered page's form, so that it handles typing in it and links
 * beside it.
 */
export async function hydrated(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => window.kasenteBeforeHydration?.hydrated)).toBe(true);
}

/** Chooses the first option whose name contains the text, typing part of it first if the select is searchable. */
export async function choose(page: Page, label: string, option: string, typed?: string): Promise<void> {
  const select = page.getByRole('combobox', { name: label });
  await select.click();
  if (typed !== undefined) await select.fill(typed);
  await page.getByRole('option', { name: option }).first().click();
}

/** Fills the sign-up form correctly. */
export async function fillSignUp(page: Page, phoneOrEmail: string, password: string): Promise<void> {
  // Before that, its selects are the browser's own.
  await hydrated(page);
  await page.getByLabel('Phone Number / Email').fill(phoneOrEmail);
  await page.getByRole('radio', { name: 'Female' }).check();
  await choose(page, 'Sector', 'Wholesale and retail trade');
  await choose(page, 'District/Location', 'Kampala');
  await page.getByLabel('Password', { exact: true }).fill(password);
}

/** Fills the invoice's card correctly. */
export async function fillInvoice(page: Page, number: string): Promise<void> {
  await page.getByLabel('Invoice number').fill(number);
  await page.getByRole('textbox', { name: 'Invoice date' }).fill('5 Jan 2026');
  await page.getByRole('textbox', { name: 'Invoice date' }).press('Tab');
  await page.getByLabel('Amount', { exact: true }).fill('1000000');
  await choose(page, 'Currency', 'UGX');
  await choose(page, 'Buyer', 'Pearl Hotels Group');
}

/** Opens the file chooser with `press`, and chooses the photo of a document. */
export async function choosePhoto(page: Page, press: () => Promise<void>): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await press();
  await (await choosing).setFiles(PHOTO);
}
