import type { Page } from '@playwright/test';
import { newDraft } from '#e2e/support/arrange.ts';
import { holdTheClock } from '#e2e/support/clock.ts';
import { expect, signIn, test } from '#e2e/support/fixtures.ts';
import { choosePhoto } from '#e2e/support/forms.ts';
import { expectFocusSeen, press, tabTo } from '#e2e/support/keyboard.ts';

/** A client's other tasks by keyboard alone: documents, calendar, the floating menu, the idle dialog. */

const MINUTE = 60_000;

test('the keyboard uploads, views and deletes a document', async ({ page }) => {
  await signIn(page, '0700000001');
  const { tag } = await newDraft(page);
  await page.goto(`/invoice-discounting-application/${tag}`);
  await press(page, page.getByRole('button', { name: 'Upload Bank statement' }));
  const dialog = page.getByRole('dialog', { name: 'Upload Bank statement' });
  await expect(dialog.getByRole('button', { name: 'Choose File' })).toBeFocused();
  await choosePhoto(page, () => page.keyboard.press('Enter'));
  await press(page, dialog.getByRole('button', { name: 'Upload Document' }));
  await expect(dialog).toBeHidden();

  const options = page.getByRole('button', { name: 'Options for Bank statement' });
  await expect(options).toBeFocused();
  await expectFocusSeen(options);
  await page.keyboard.press('Enter');
  const item = (name: string) => page.getByRole('menuitem', { name });
  await expect(item('View')).toBeFocused();
  await expect(page.getByRole('menuitem')).toHaveText(['View', 'Replace', 'Delete']);
  const opened = page.waitForEvent('popup');
  await page.keyboard.press('Enter');
  const tab = await opened;
  await expect(tab).toHaveURL(/\/api\/v1\/files\/view\/[0-9a-f-]{36}$/);
  await expect(tab.locator('img')).toBeVisible();
  await tab.close();

  await expect(options).toBeFocused();
  await page.keyboard.press('Space');
  await expect(item('View')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(item('View')).toBeHidden();
  await expect(options).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(item('View')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(item('Delete')).toBeFocused();
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Delete Bank statement?' });
  await expect(question.getByRole('button', { name: 'Keep it' })).toBeFocused();
  await press(page, question.getByRole('button', { name: 'Delete' }));
  await expect(question).toBeHidden();
  await expect(page.getByRole('button', { name: 'Upload Bank statement' })).toBeFocused();
});

test('the keyboard picks a date from the calendar', async ({ page }) => {
  await page.clock.setFixedTime(new Date('2026-11-20T09:00:00Z'));
  await signIn(page, '0700000001', '/application/start');
  const date = page.getByRole('textbox', { name: 'Invoice date' });
  await tabTo(page, date);
  // The other table is the list of documents.
  const calendar = page.locator('table:not([aria-busy])');
  await expect(calendar).toBeHidden();
  await page.keyboard.press('ArrowDown');
  const day = (name: string) => page.getByRole('button', { name, exact: true });
  await expect(day('20 November 2026')).toBeFocused();
  await expectFocusSeen(day('20 November 2026'));
  // Escape leaves the date as it was.
  await page.keyboard.press('Escape');
  await expect(calendar).toBeHidden();
  await expect(date).toBeFocused();
  await expect(date).toHaveValue('');

  await page.keyboard.press('ArrowDown');
  await expect(day('20 November 2026')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  await expect(day('12 November 2026')).toBeFocused();
  await page.keyboard.press('PageUp');
  await expect(day('12 October 2026')).toBeFocused();
  await page.keyboard.press('Shift+PageUp');
  await expect(day('12 October 2025')).toBeFocused();
  await expectFocusSeen(day('12 October 2025'));
  // Future days are not offered: the last day is today.
  await page.keyboard.press('Shift+PageDown');
  await expect(day('12 October 2026')).toBeFocused();
  await page.keyboard.press('PageDown');
  await expect(day('12 November 2026')).toBeFocused();
  await page.keyboard.press('PageDown');
  await expect(day('20 November 2026')).toBeFocused();
  await page.keyboard.press('PageUp');
  await expect(day('20 October 2026')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(calendar).toBeHidden();
  await expect(date).toHaveValue('20 Oct 2026');
  await expect(date).toBeFocused();
});

/** Presses several keys before the page can draw in between. */
async function pressWithinAFrame(page: Page, keys: readonly string[]): Promise<void> {
  await page.evaluate((all) => {
    for (const key of all)
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  }, keys);
}

test('every key counts in the calendar, even if several come within one frame', async ({ page }) => {
  await page.clock.setFixedTime(new Date('2026-11-20T09:00:00Z'));
  await signIn(page, '0700000001', '/application/start');
  const date = page.getByRole('textbox', { name: 'Invoice date' });
  const day = (name: string) => page.getByRole('button', { name, exact: true });
  await tabTo(page, date);
  await pressWithinAFrame(page, ['ArrowDown', 'ArrowUp', 'ArrowLeft']);
  await expect(day('12 November 2026')).toBeFocused();
  await pressWithinAFrame(page, ['PageUp', 'ArrowLeft', 'ArrowUp', 'ArrowUp']);
  await expect(day('27 September 2026')).toBeFocused();
  await pressWithinAFrame(page, ['ArrowDown', 'ArrowRight', 'PageDown', 'PageDown']);
  await expect(day('20 November 2026')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(date).toBeFocused();
  await pressWithinAFrame(page, ['ArrowDown', 'ArrowLeft']);
  await page.keyboard.press('Enter');
  await expect(date).toHaveValue('19 Nov 2026');
  // Enter, pressed before the calendar has the focus, chooses the calendar's day.
  await pressWithinAFrame(page, ['ArrowDown', 'Enter']);
  await expect(date).toHaveValue('19 Nov 2026');
  await expect(day('19 November 2026')).toBeHidden();
});

test('the keyboard uses the floating menu', async ({ page }) => {
  await signIn(page, '0700000001');
  const { tag } = await newDraft(page);
  await page.goto(`/invoice-discounting-application/${tag}`);
  await expect(page.getByLabel('Invoice number')).not.toHaveValue('');
  const trigger = page.getByRole('button', { name: 'Applications menu' });
  await press(page, trigger);
  const item = (name: string) => page.getByRole('menuitem', { name });
  await expect(item('New Application')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(trigger).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(item('New Application')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/application\/start$/);
  await expect(page.getByLabel('Invoice number')).toHaveValue('');

  await press(page, trigger, 'Space');
  await expect(item('New Application')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(item('My Applications')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/invoices\/applications$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('the keyboard answers the idle dialog, either way', async ({ page }) => {
  await page.clock.install();
  await signIn(page, '0700000001', '/home');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const apply = page.getByRole('link', { name: 'Apply Now' });
  await tabTo(page, apply);
  await holdTheClock(page);
  const dialog = page.getByRole('dialog', { name: 'Are you still there?' });
  const stay = dialog.getByRole('button', { name: 'Continue' });
  const leave = dialog.getByRole('button', { name: 'Log Out' });

  await page.clock.runFor(12 * MINUTE);
  await expect(stay).toBeFocused();
  await expectFocusSeen(stay);
  await page.keyboard.press('Escape');
  await expect(stay).toBeFocused();
  // Tab cannot get past it in either direction.
  await tabTo(page, leave);
  await tabTo(page, stay);
  await tabTo(page, leave, 'Shift+Tab');
  await tabTo(page, stay, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await page.clock.runFor(100);
  await expect(apply).toBeFocused();

  await page.clock.runFor(12 * MINUTE);
  await expect(stay).toBeFocused();
  await page.clock.resume();
  await press(page, leave, 'Space');
  await expect(page).toHaveURL(/\/login$/);
});
