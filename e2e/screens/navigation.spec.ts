import type { Page } from '@playwright/test';
import { expect, logIn, PHONE, test } from '#e2e/support/fixtures.ts';
import { hold } from '#e2e/support/network.ts';
import { picture } from '#e2e/support/pictures.ts';

/**
 * From screen to screen: what is shown until the next one loads, what happens if it does not, and the scroll position.
 */

// The tab's error about a version that no longer exists.
test.use({ provoked: [/^OutdatedVersion: /] });

const NEXT_SCREEN = '**/assets/my-applications-page-*.js';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

async function openDashboard(page: Page): Promise<void> {
  await logIn(page, '0700000001');
  await expect(heading(page, 'Dashboard')).toBeVisible();
}

async function askForApplications(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Applications' }).click();
}

test('the earlier screen stays under a progress bar until the next one has loaded', async ({ page }) => {
  await openDashboard(page);
  const letGo = await hold(page, NEXT_SCREEN);
  await askForApplications(page);
  await expect(page.getByRole('progressbar', { name: 'Loading', exact: true })).toBeVisible();
  await expect(heading(page, 'Dashboard')).toBeVisible();
  letGo();
  await expect(heading(page, 'My Applications')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Loading', exact: true })).toHaveCount(0);
});

test('a person who goes elsewhere while a screen is loading is not brought back', async ({ page }) => {
  await openDashboard(page);
  const letGo = await hold(page, NEXT_SCREEN);
  await askForApplications(page);
  await expect(page).toHaveURL(/\/invoices\/applications$/);
  const arrived = page.waitForResponse(NEXT_SCREEN);
  await page.getByRole('link', { name: 'Apply', exact: true }).click();
  await expect(heading(page, 'New application')).toBeVisible();
  letGo();
  await (await arrived).finished();
  await expect(heading(page, 'New application')).toBeVisible();
  await expect(page).toHaveURL(/\/invoice-discounting-application$/);
});

test('a pending search does not bring back a person who goes elsewhere', async ({ page }) => {
  await page.clock.install();
  await openDashboard(page);
  const letGo = await hold(page, NEXT_SCREEN);
  await page.getByRole('searchbox', { name: 'Search applications' }).fill('NT');
  await askForApplications(page);
  await expect(page).toHaveURL(/\/invoices\/applications$/);
  await page.clock.runFor(1_500);
  await expect(page).toHaveURL(/\/invoices\/applications$/);
  letGo();
  await expect(heading(page, 'My Applications')).toBeVisible();
});

test('a screen that does not load says so inside header and menu, and the others still work', async ({ page }) => {
  await openDashboard(page);
  await page.route(NEXT_SCREEN, (route) => route.abort());
  await askForApplications(page);
  await expect(heading(page, 'This page did not load')).toBeVisible();
  await picture(page, 'screen-not-loaded');
  await expect(page.getByRole('banner')).toBeVisible();
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await expect(heading(page, 'Dashboard')).toBeVisible();
  await page.unroute(NEXT_SCREEN);
  await askForApplications(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(heading(page, 'My Applications')).toBeVisible();
});

test('a tab whose version has been replaced loads the new one by itself, once', async ({ page }) => {
  await openDashboard(page);
  let opened = 0;
  await page.route(NEXT_SCREEN, (route) => route.fulfill({ status: 404, body: '' }));
  await page.route(/:\d+\/$/, (route) => route.fulfill({ contentType: 'text/html', body: 'a newer version' }));
  page.on('request', (request) => {
    if (request.isNavigationRequest()) opened += 1;
  });
  await askForApplications(page);
  await expect.poll(() => opened).toBe(1);
  await expect(heading(page, 'This page did not load')).toBeVisible();
  expect(opened).toBe(1);
});

test('a new page starts at its top; going back or reloading restores the position', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await page.goto('/privacy-policy');
  await expect(heading(page, 'Privacy Policy')).toBeVisible();
  const place = () => page.evaluate(() => Math.round(window.scrollY));
  await page.evaluate(() => window.scrollTo(0, 1500));
  await expect.poll(place).toBe(1500);
  await page.getByRole('navigation', { name: 'Policies' }).getByRole('link', { name: 'Cookie Policy' }).press('Enter');
  await expect(heading(page, 'Cookie Policy')).toBeVisible();
  expect(await place()).toBe(0);
  await page.goBack();
  await expect(heading(page, 'Privacy Policy')).toBeVisible();
  await expect.poll(place).toBeGreaterThan(1000);
  const returned = await place();
  await page.reload();
  await expect(heading(page, 'Privacy Policy')).toBeVisible();
  await expect.poll(place).toBe(returned);
});

test('on a phone Back returns to a card far down the dashboard, which is not rendered at first', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await openDashboard(page);
  const card = page.getByRole('list', { name: 'My Applications' }).getByRole('link').nth(8);
  await card.scrollIntoViewIfNeeded();
  const place = () => page.evaluate(() => Math.round(window.scrollY));
  await expect.poll(place).toBeGreaterThan(1000);
  const left = await place();
  const number = (await card.textContent()) ?? '';
  await card.click();
  await expect(heading(page, number)).toBeVisible();
  expect(await place()).toBe(0);
  await page.goBack();
  await expect(card).toBeInViewport();
  expect(await place()).toBe(left);
});

test('a link to a part of a page shows it, even if content above it loads late', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await openDashboard(page);
  const letGo = await hold(page, '**/api/v1/applications/attention');
  await page.goto('about:blank');
  await page.goto('/home#funding-limit');
  await expect(heading(page, 'Dashboard')).toBeVisible();
  letGo();
  await expect(page.getByRole('heading', { name: 'Funding limit' })).toBeInViewport();
  await expect(page.getByRole('list', { name: 'My Applications' }).getByRole('link').first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Funding limit' })).toBeInViewport();
});

test('turning the page of a list does not scroll', async ({ page }) => {
  await logIn(page, 'staff@kasente.test');
  const second = page
    .getByRole('navigation', { name: 'Pages of All Applications' })
    .getByRole('button', { name: 'Page 2', exact: true });
  await second.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => window.scrollY);
  expect(before).toBeGreaterThan(0);
  await second.press('Enter');
  await expect(page).toHaveURL(/\/home\?applications-page=2$/);
  await expect(second).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('rowheader', { name: 'NT-2026-042' })).toHaveCount(0);
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
});
