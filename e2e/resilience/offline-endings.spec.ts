import type { Page } from '@playwright/test';
import { newDraft } from '#e2e/support/arrange.ts';
import {
  beginInvoice,
  keptTyping,
  lastingBrowser,
  newNumber,
  onServer,
  openDraft,
  SAVED,
  SAVES,
  START,
  state,
} from '#e2e/support/bad-line.ts';
import { expect, sendLogin, signIn, test } from '#e2e/support/fixtures.ts';
import { fillInvoice } from '#e2e/support/forms.ts';
import { picture } from '#e2e/support/pictures.ts';

/**
 * How a visit with unsaved work ends: by idling, by a logout, or killed (docs/decisions/0026-work-on-a-bad-line.md).
 */

const CLIENT = '0700000001';
const MINUTE = 60 * 1000;

const question = (page: Page) => page.getByRole('dialog', { name: 'Log out with unsaved work?' });

test('an idle log-off asks nothing, and the same person finds their work again', async ({ page }) => {
  await page.clock.install();
  await signIn(page, CLIENT);
  const number = newNumber();
  await beginInvoice(page, number, 'computer');
  await page.clock.fastForward(16 * MINUTE);
  await expect(page).toHaveURL(/\/login$/);
  await expect(question(page)).toBeHidden();
  await sendLogin(page, CLIENT);
  await expect(page.getByLabel('Invoice number')).toHaveValue(number);
});

test('Log Out asks if work is unsaved: the person may stay, keep it, or delete it', async ({ page }) => {
  await signIn(page, CLIENT);
  const number = newNumber();
  await beginInvoice(page, number, 'computer');
  const menu = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Log Out' });
  await menu.click();
  await expect(question(page)).toContainText(number);
  await expect(question(page).getByRole('button', { name: 'Stay' })).toBeFocused();
  await picture(page, 'log-out-with-unsaved-work');
  await page.keyboard.press('Enter');
  await expect(question(page)).toBeHidden();
  await expect(page.getByLabel('Invoice number')).toHaveValue(number);

  await menu.click();
  await question(page).getByRole('button', { name: 'Keep it and log out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await signIn(page, CLIENT, START);
  await expect(page.getByLabel('Invoice number')).toHaveValue(number);

  // Also from another screen, through the name's menu.
  await page.goto('/home');
  await page.getByRole('banner').getByRole('button').last().click();
  await page.getByRole('banner').getByRole('link', { name: 'Log Out' }).click();
  await question(page).getByRole('button', { name: 'Delete it and log out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await keptTyping(page)).toBe('[]');
});

test('Log Out first saves what can be saved, and then asks nothing', async ({ page }) => {
  await signIn(page, CLIENT);
  const { tag, number } = await newDraft(page);
  await openDraft(page, tag);
  await page.getByLabel('Invoice number').fill(`${number}-LAST`);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Log Out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await signIn(page, CLIENT);
  expect(await onServer(page, `${number}-LAST`)).toHaveLength(1);
});

test.describe('a browser that is killed', () => {
  test('keeps typing from the moment before', async ({ kasente }, info) => {
    const browser = await lastingBrowser(info, kasente.address);
    try {
      const page = await (await browser.open()).newPage();
      await signIn(page, CLIENT, START);
      const number = newNumber();
      const field = page.getByLabel('Invoice number');
      await field.fill(number);
      await expect(state(page)).toContainText('Saved on this phone');
      await field.press('End');
      await field.press('Z');
      // Each letter is written to the device at once. We check here that it arrived, because the kill may come before
      // the page's next task.
      await expect.poll(() => keptTyping(page)).toContain(`${number}Z`);
      await browser.kill();

      const again = await (await browser.open()).newPage();
      await signIn(again, CLIENT, START);
      await expect(again.getByLabel('Invoice number')).toHaveValue(`${number}Z`);
    } finally {
      await browser.kill();
      await browser.remove();
    }
  });

  test('a save whose reply is lost is stored once, and editing continues without a question', async ({
    kasente,
  }, info) => {
    const browser = await lastingBrowser(info, kasente.address);
    try {
      const page = await (await browser.open()).newPage();
      await signIn(page, CLIENT);
      const number = newNumber();
      const arrived = new Promise<void>((resolve) => {
        void page.route(SAVES, async (route) => {
          if (route.request().method() !== 'POST') return route.fallback();
          await route.fetch();
          resolve();
          return undefined; // the save is never answered
        });
      });
      await page.goto(START);
      await fillInvoice(page, number);
      await arrived;
      await browser.kill();

      const again = await (await browser.open()).newPage();
      await signIn(again, CLIENT);
      expect(await onServer(again, number)).toHaveLength(1);
      await again.goto(START);
      await expect(again).toHaveURL(/\/invoice-discounting-application\/[\da-f-]{36}$/);
      await expect(again.getByLabel('Invoice number')).toHaveValue(number);
      await expect(state(again)).toHaveText(SAVED);
      await expect(again.getByText('This application was changed elsewhere')).toHaveCount(0);
      expect(await onServer(again, number)).toHaveLength(1);
      expect(await keptTyping(again)).toBe('[]');
    } finally {
      await browser.kill();
      await browser.remove();
    }
  });
});
