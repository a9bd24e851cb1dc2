import type { Page } from '@playwright/test';
import { type Draft, newDraft, newReadyDraft } from '#e2e/support/arrange.ts';
import { SAVES, START } from '#e2e/support/bad-line.ts';
import { expect, logIn, test, visit } from '#e2e/support/fixtures.ts';
import { fillInvoice } from '#e2e/support/forms.ts';
import { hold } from '#e2e/support/network.ts';

/** Reopening an invoice on a failing connection: old data is never shown as if it were current. */

const CLIENT = '0700000001';

const address = ({ tag }: Draft) => `/invoice-discounting-application/${tag}`;
const notLoaded = (page: Page) => page.getByRole('heading', { level: 1, name: 'The invoice did not load' });

/** Requests for the invoice itself fail until the returned function is called. */
async function dropLoads(page: Page, { tag }: Draft): Promise<() => Promise<void>> {
  const url = `**/api/v1/invoices/${tag}`;
  await page.route(url, (route) => route.abort());
  return () => page.unroute(url);
}

test('a submitted application is not shown as a draft if it can’t be loaded', async ({ page }) => {
  await logIn(page, CLIENT);
  const draft = await newReadyDraft(page);
  await visit(page, address(draft));
  const submit = page.getByRole('button', { name: 'Submit Application' });
  await submit.click();
  const lineIsBack = await dropLoads(page, draft);
  await page.getByRole('button', { name: 'Agree and submit' }).click();
  await expect(page.getByText('Application Submitted')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Agree and submit' })).toHaveCount(0);
  await expect(submit).toHaveCount(0);
  await expect(notLoaded(page)).toBeVisible();
  await lineIsBack();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Submitted for Processing').first()).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: draft.number })).toBeFocused();
});

test('the latest version is not the one from before both changes', async ({ page, context }) => {
  await logIn(page, CLIENT);
  const draft = await newDraft(page);
  await visit(page, address(draft));
  const other = await context.newPage();
  await other.goto(address(draft));
  const theirs = `${draft.number}-THEIRS`;
  await other.getByLabel('Invoice number').fill(theirs);
  await expect(other.getByRole('status').filter({ hasText: /^Saved \d\d:\d\d$/ })).toBeVisible();
  await page.getByLabel('Invoice number').fill(`${draft.number}-MINE`);
  const lineIsBack = await dropLoads(page, draft);
  await page.getByRole('button', { name: 'Use the other version' }).click();
  await expect(notLoaded(page)).toBeVisible();
  await lineIsBack();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByLabel('Invoice number')).toHaveValue(theirs);
});

test('the first save does not bring back a person who has gone to another screen', async ({ page }) => {
  await logIn(page, CLIENT, { to: START });
  const save = await hold(page, SAVES, 'POST');
  const showNext = await hold(page, '**/assets/my-applications-page-*.js');
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/invoices'));
  const number = `GONE-${Date.now()}`;
  await fillInvoice(page, number);
  await sent;
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Applications' }).click();
  await expect(page).toHaveURL(/\/invoices\/applications$/);
  save();
  await expect(page.getByText('Your invoice is now saved.')).toBeVisible();
  showNext();
  await expect(page.getByRole('heading', { level: 1, name: 'My Applications' })).toBeVisible();
  await expect(page).toHaveURL(/\/invoices\/applications$/);
  await expect(page.getByText(number)).toBeVisible();
});
