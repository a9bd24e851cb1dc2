import type { Locator, Page } from '@playwright/test';
import { MANDATORY } from '#e2e/support/arrange.ts';
import { firstRow, post } from '#e2e/support/calls.ts';
import { officer } from '#e2e/support/desk.ts';
import { codeIn, expect, newPhone, PHONE, test } from '#e2e/support/fixtures.ts';
import { PASSWORD, signUp } from '#e2e/support/main-job.ts';
import { picture } from '#e2e/support/pictures.ts';
import { PHOTO } from '#e2e/support/sample-files.ts';

/**
 * A new trader's way on a phone, from the login to a submitted application whose payout account waits for nothing but
 * our check. Before documents were sent from their rows and accounts were added in the application, it took 33 taps, 99
 * characters and 14 screens; without the account 26, 62 and 11.
 */

test.use({ viewport: PHONE, hasTouch: true });

/** A person's taps, typed characters and new screens; choosing files counts a tap for each, and one to confirm. */
class Effort {
  taps = 0;
  characters = 0;
  screens = 1;

  async tap(target: Locator, screens = 0): Promise<void> {
    this.taps += 1;
    this.screens += screens;
    await target.click();
  }

  async type(target: Locator, text: string): Promise<void> {
    await this.tap(target);
    this.characters += text.length;
    await target.pressSequentially(text);
  }

  async chooseFiles(page: Page, target: Locator, count: number): Promise<void> {
    const choosing = page.waitForEvent('filechooser');
    await this.tap(target, 1);
    this.taps += count + 1;
    await (await choosing).setFiles(Array.from({ length: count }, () => PHOTO));
  }
}

/** Activates the newcomer for a business of their own. */
async function activateAlone(page: Page, phone: string): Promise<void> {
  const admin = await officer(page, 'admin@kasente.test');
  const name = `Atuhaire Traders ${phone}`;
  await post(admin, 'businesses', { name, industryId: 1, districtId: 1, isClient: true, isBuyer: false });
  const { id } = await firstRow<{ readonly id: number }>(admin, 'businesses/paged', name);
  const { tag } = await firstRow<{ readonly tag: string }>(admin, 'persons', phone);
  await post(admin, 'persons/update_minimal_business', {
    tag,
    businessId: id,
    firstName: 'Ruth',
    lastName: 'Atuhaire',
  });
}

test('from the login to a submitted application takes a third fewer taps than before', async ({ page, kasente }) => {
  test.slow();
  const phone = newPhone().replace(/^07./, '077');
  await page.goto('/signup');
  await signUp(page, phone);
  await page.getByLabel('Enter PIN').pressSequentially(codeIn(await kasente.newestMessage(phone)));
  await expect(page).toHaveURL(/\/login$/);
  await activateAlone(page, phone);
  await page.goto('/login');
  const effort = new Effort();
  await effort.type(page.getByLabel('Phone or Email'), phone);
  await effort.type(page.getByLabel('Password', { exact: true }), PASSWORD);
  await effort.tap(page.getByRole('button', { name: 'Login' }), 1);
  await effort.tap(page.getByRole('link', { name: 'Apply Now' }), 1);

  await effort.type(page.getByLabel('Invoice number'), 'TAP/2026-1');
  await effort.type(page.getByRole('textbox', { name: 'Invoice date' }), '5 Jan 2026');
  await effort.type(page.getByLabel('Amount', { exact: true }), '1000000');
  await effort.type(page.getByRole('combobox', { name: 'Buyer' }), 'pearl');
  await effort.tap(page.getByRole('option', { name: 'Pearl Hotels Group' }));
  await effort.type(page.getByLabel('Amount applied for'), '900000');
  await effort.tap(page.getByRole('combobox', { name: 'Financing period' }));
  await effort.tap(page.getByRole('option', { name: '30 days' }));
  const choose = page.getByRole('button', { name: 'Choose file: Invoice copy' });
  await expect(choose).toBeEnabled();
  await effort.chooseFiles(page, choose, MANDATORY.length);
  const submit = page.getByRole('button', { name: 'Submit Application' });
  await expect(submit).toBeEnabled();
  const withoutAccount = { taps: effort.taps + 2, screens: effort.screens + 2 };

  const where = page.getByRole('region', { name: 'Where we send it' });
  await effort.tap(where.getByRole('button', { name: 'Add payout account' }), 1);
  const dialog = page.getByRole('dialog', { name: 'Add payout account' });
  await expect(dialog.getByLabel('Phone number')).toHaveValue(phone);
  await expect(dialog.getByLabel('Name on the account')).toHaveValue('Ruth Atuhaire');
  await expect(dialog).toContainText('Usually we can pay to it at once.');
  await expect(dialog.getByLabel('Your password')).toBeFocused();
  await picture(page, 'payout-account-add');
  await effort.type(dialog.getByLabel('Your password'), PASSWORD);
  await effort.tap(dialog.getByRole('button', { name: 'Add payout account' }));
  await expect(where).toContainText(`We send it to MTN ••• ${phone.slice(-3)}, Ruth Atuhaire.`);
  await expect(where).toContainText("We'll call you to check it. Usually we can pay to it at once.");
  await picture(page, 'draft-account-added');

  await effort.tap(submit, 1);
  await effort.tap(page.getByRole('dialog').getByRole('button', { name: 'Agree and submit' }), 1);
  await expect(page.getByText('Submitted for Processing').first()).toBeVisible();
  const { taps, characters, screens } = effort;
  expect({ taps, characters, screens }).toEqual({ taps: 22, characters: 78, screens: 7 });
  expect(withoutAccount).toEqual({ taps: 19, screens: 6 });
});
