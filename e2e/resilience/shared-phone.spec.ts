import type { Page } from '@playwright/test';
import { newDraft, stored } from '#e2e/support/arrange.ts';
import {
  beginInvoice,
  cutSaves,
  keptTyping,
  newNumber,
  onServer,
  openDraft,
  SAVES,
  START,
  state,
  watchSaves,
} from '#e2e/support/bad-line.ts';
import { expect, PHONE, signIn, test } from '#e2e/support/fixtures.ts';
import { hold } from '#e2e/support/network.ts';
import { canaryFound, proved } from '#testing/evidence/record.ts';

/**
 * One phone and two people, one after the other or in two tabs. Nothing of one person is shown to the other, saved as
 * the other, or lost because of the other.
 */

test.use({ viewport: PHONE });

/** A person's data on a device, besides drafts. */
const PERSONAL = ['auth', 'ALL_BUSINESSES', 'LAST_VISIT'] as const;

const ONE = '0700000001';
const OTHER = '0700000002';

/** The other person logs in, in another tab of the same browser. */
async function logInBeside(page: Page, username: string): Promise<Page> {
  const beside = await page.context().newPage();
  await signIn(beside, username);
  return beside;
}

test('a person who logs in in another tab finds an empty form in this one, and earlier typing stays for its owner', async ({
  page,
}) => {
  await signIn(page, ONE);
  const number = newNumber();
  await beginInvoice(page, number);
  const beside = await logInBeside(page, OTHER);
  await expect(page.getByLabel('Invoice number')).toHaveValue('');
  await page.getByLabel('Invoice number').fill(newNumber());
  await expect(state(page)).toContainText('Saved on this phone');
  await signIn(beside, ONE);
  await expect(page.getByLabel('Invoice number')).toHaveValue(number);
});

test('one person’s list is never shown to the other while theirs is loading', async ({ page }) => {
  await signIn(page, ONE, '/invoices/applications');
  const owns = page.getByText(/^NT-2026-\d+$/);
  await expect(owns.first()).toBeVisible();
  const answer = await hold(page, '**/api/v1/invoices/paged', 'POST');
  const asked = page.waitForRequest('**/api/v1/invoices/paged');
  await logInBeside(page, OTHER);
  await asked;
  await expect(owns).toHaveCount(0);
  answer();
  await expect(
    page
      .getByRole('list', { name: /Applications/ })
      .getByRole('listitem')
      .first(),
  ).toBeVisible();
  await expect(owns).toHaveCount(0);
});

test("a repeated save is not sent in the other person's name, and is not lost by the reply to theirs", async ({
  page,
}) => {
  await signIn(page, ONE);
  const { tag, number } = await newDraft(page);
  await openDraft(page, tag);
  const mend = await cutSaves(page);
  await page.getByLabel('Amount applied for').fill('700000');
  await expect(page.getByText("We'll send it when you are back online.")).toBeVisible();
  await mend();
  const saves = watchSaves(page);
  const beside = await logInBeside(page, OTHER);
  await expect(page.getByText('This invoice does not exist')).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  expect(await keptTyping(page)).toContain('700000');
  expect(saves).toEqual([]);
  await signIn(beside, ONE);
  await expect.poll(() => keptTyping(page)).toBe('[]');
  expect(await onServer(page, number)).toMatchObject([{ amount_applied_for: 700_000 }]);
});

test('work deleted at Log Out does not come back through a running save', async ({ page }) => {
  await signIn(page, ONE);
  const { tag, number } = await newDraft(page);
  await openDraft(page, tag);
  await cutSaves(page);
  const breakOff = await hold(page, SAVES, 'POST');
  const sent = page.waitForRequest(SAVES);
  await page.getByLabel('Invoice number').fill(`${number}-GONE`);
  await sent;
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Log Out' }).click();
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/v1/invoices'));
  await page.getByRole('button', { name: 'Delete it and log out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  breakOff();
  await failed;
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
  expect(await keptTyping(page)).toBe('[]');
});

test('a session that ended while the browser was closed leaves nothing to see, and the typing stays for its owner', async ({
  page,
}) => {
  await signIn(page, ONE);
  const number = newNumber();
  await beginInvoice(page, number);
  await page.goto('/home');
  await expect.poll(() => stored(page, 'LAST_VISIT')).not.toBeNull();
  const kept = async (): Promise<string[]> => {
    const values = await Promise.all(PERSONAL.map(async (key) => [key, await stored(page, key)] as const));
    return values.flatMap(([key, value]) => (value === null ? [] : [key]));
  };
  expect(await kept()).toEqual(['auth', 'LAST_VISIT']);
  canaryFound('ended-session', 'while the session lasts, what the device keeps of the person was found');
  // No page of the application is open, and a quarter of an hour passes. The server does not intervene: its session is
  // still valid.
  await page.goto('/robots.txt');
  await page.evaluate((past) => {
    localStorage.setItem('LAST_ACTIVITY', JSON.stringify({ activeAt: Date.now() - past, pingedAt: 0 }));
  }, 15 * 60_000);

  await page.goto('/home');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('status')).toHaveText('Your session has ended. Log in to carry on where you were.');
  expect(await kept()).toEqual([]);
  expect(await keptTyping(page)).toContain(number);
  expect(await keptTyping(page)).not.toMatch(/password|token|cookie|session/i);

  await signIn(page, OTHER, START);
  await expect(page.getByLabel('Invoice number')).toHaveValue('');
  await signIn(page, ONE, START);
  await expect(page.getByLabel('Invoice number')).toHaveValue(number);
  proved(
    'ended-session',
    'opened after a quarter of an hour: 0 keys of the person left, the draft for its owner alone',
  );
});
