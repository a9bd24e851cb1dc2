import type { Page } from '@playwright/test';
import { newReadyDraft, openNew } from '#e2e/support/arrange.ts';
import { holdTheClock } from '#e2e/support/clock.ts';
import { expect, signIn, test } from '#e2e/support/fixtures.ts';
import { choose } from '#e2e/support/forms.ts';
import { answerInstead } from '#e2e/support/network.ts';
import { picture } from '#e2e/support/pictures.ts';
import { toastsAt } from '#e2e/support/toast.ts';

/**
 * Several toasts (docs/specification-coverage.md, 4 and 9): at most 5 in one place, the rest wait; hovering pauses
 * them; their size.
 */

const SECOND = 1000;

/** With the clock held, requests several resets that fail: each shows a toast at the bottom right for 5 s. */
async function fail(page: Page, times: number): Promise<void> {
  await page.clock.install();
  const refusal = { success: false, code: 'TOO_MANY_REQUESTS', msg: 'Too many requests from here. Try again later' };
  await answerInstead(page, 'reset_password/request', 429, refusal);
  await page.goto('/forgot-password');
  // The page loads before its script, which must be there before the clock is stopped.
  await page.waitForLoadState('networkidle');
  await page.getByLabel('Phone or Email').fill('0700000001');
  await holdTheClock(page);
  const button = page.getByRole('button', { name: 'Change Password' });
  for (let time = 1; time <= times; time += 1) {
    const answered = page.waitForResponse('**/api/v1/reset_password/request');
    await button.click();
    await answered;
    await expect(toastsAt(page, 'bottom-right')).toHaveCount(Math.min(time, 5));
    // The button is enabled again by a timer, which the page sets when it has read the reply. The toasts cannot show
    // this, because those beyond 5 wait.
    await expect
      .poll(async () => {
        await page.clock.runFor(10);
        return button.isEnabled();
      })
      .toBe(true);
  }
}

test('at most 5 are shown, and the rest appear when those have closed', async ({ page }) => {
  await fail(page, 7);
  const toasts = toastsAt(page, 'bottom-right');
  await expect(toasts).toHaveCount(5);
  await picture(page, 'toasts');
  for (const toast of await toasts.all()) {
    const box = await toast.boundingBox();
    expect(box?.width).toBe(440);
    expect(box?.height).toBeLessThanOrEqual(200);
    expect(await toast.evaluate((element) => getComputedStyle(element).maxHeight)).toBe('200px');
  }
  await page.clock.runFor(4 * SECOND);
  await expect(toasts).toHaveCount(5);
  await page.clock.runFor(2 * SECOND);
  await expect(toasts).toHaveCount(2);
  await page.clock.runFor(3 * SECOND);
  await expect(toasts).toHaveCount(2);
  await page.clock.runFor(2 * SECOND);
  await expect(toasts).toHaveCount(0);
});

test('hovering over one pauses them all; when the pointer leaves, they continue', async ({ page }) => {
  await fail(page, 2);
  const toasts = toastsAt(page, 'bottom-right');
  await page.clock.runFor(4 * SECOND);
  await toasts.first().hover();
  await page.clock.runFor(60 * SECOND);
  await expect(toasts).toHaveCount(2);
  await page.mouse.move(5, 5);
  await page.clock.runFor(4.5 * SECOND);
  await expect(toasts).toHaveCount(2);
  await page.clock.runFor(SECOND);
  await expect(toasts).toHaveCount(0);
});

test('they take 250 ms to appear and disappear', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await fail(page, 1);
  const toast = toastsAt(page, 'bottom-right');
  expect(await toast.evaluate((element) => getComputedStyle(element).transitionDuration)).toContain('0.25s');
  await page.clock.runFor(5 * SECOND);
  await expect(toast).toHaveCount(1);
  await page.clock.runFor(250);
  await expect(toast).toHaveCount(0);
});

test('of several about the same action only the newest is shown, and a success replaces its failures', async ({
  page,
}) => {
  await signIn(page, 'staff@kasente.test', '/home');
  await page.getByRole('button', { name: 'Activate newcomer@kasente.test', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Update Person' });
  await dialog.getByLabel('First name').fill('New');
  await dialog.getByLabel('Last name').fill('Comer');
  await choose(page, 'Business', 'Nakasero Traders Ltd');
  for (const msg of ['The first refusal', 'The second refusal', 'The third refusal']) {
    const restore = await answerInstead(page, 'persons/update_minimal_business', 409, { success: false, msg });
    await dialog.getByRole('button', { name: 'Activate' }).click();
    await expect(toastsAt(page, 'bottom-right')).toHaveText([`Updates failed${msg}`]);
    await restore();
  }
  await answerInstead(page, 'persons/update_minimal_business', 200, { success: true, msg: 'Updated' });
  await dialog.getByRole('button', { name: 'Activate' }).click();
  await expect(toastsAt(page, 'bottom-right')).toHaveText([
    'Person UpdateUpdates to this business person have been successful',
  ]);
});

test('a later save, which shows no toast, closes the one about the failure', async ({ page }) => {
  await page.clock.install();
  const { number } = await openNew(page, '0700000001');
  const toasts = toastsAt(page, 'bottom-right');
  const rename = async (end: string): Promise<void> => {
    await page.getByLabel('Invoice number').fill(`${number}-${end}`);
    await page.clock.runFor(1500);
  };
  await rename('B');
  await expect(toasts).toHaveText(['Invoice Ok.Your invoice is now saved.']);
  const restore = await answerInstead(page, 'invoices', 500, { success: false, code: 'INTERNAL', msg: 'A fault' });
  await rename('C');
  await expect(toasts).toHaveText(['ErrorInvoice not saved']);
  await holdTheClock(page);
  await restore();
  const saved = page.waitForResponse('**/api/v1/invoices');
  await page.getByRole('button', { name: 'Try again' }).click();
  await saved;
  // Long before its five seconds have passed.
  await expect
    .poll(async () => {
      await page.clock.runFor(10);
      return toasts.count();
    })
    .toBe(0);
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();
});

test('the submit dialog leaves them visible on a wide screen, but not on a phone', async ({ page }) => {
  await page.clock.install();
  await signIn(page, '0700000001');
  const draft = await newReadyDraft(page);
  const question = page.getByRole('dialog', { name: 'Submit this application?' });
  for (const [width, place, left] of [
    [1366, 'bottom-right', 1],
    [360, 'top-center', 0],
  ] as const) {
    const toast = toastsAt(page, place).filter({ hasText: 'Application Saved' });
    await page.setViewportSize({ width, height: 768 });
    await page.goto(`/invoice-discounting-application/${draft.tag}`);
    await page.getByLabel('Amount applied for').fill(String(width * 400));
    await expect(toast).toBeVisible();
    await holdTheClock(page);
    await page.getByRole('button', { name: 'Submit Application' }).click();
    await expect
      .poll(async () => {
        await page.clock.runFor(10);
        return question.isVisible();
      })
      .toBe(true);
    await page.clock.runFor(SECOND / 2);
    await expect(toast).toHaveCount(left);
    await page.clock.resume();
  }
});
