import type { Page } from '@playwright/test';
import { expectAccessibleLooks, expectNoSidewaysScrolling } from '#e2e/support/accessible.ts';
import { DESK, expect, logIn, test, visit } from '#e2e/support/fixtures.ts';
import { picture } from '#e2e/support/pictures.ts';

/**
 * WCAG 2.2 AA checked by axe on each screen of the main job, light and dark, on a phone and on a desktop; none scrolls
 * sideways at 320 px.
 */

async function expectUsable(page: Page, screen: string): Promise<void> {
  await expectAccessibleLooks(page, screen);
  await expectNarrow(page, screen);
}

/** Checks a screen at 320 px, then returns to the desktop size. */
async function expectNarrow(page: Page, screen: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScrolling(page, screen);
  await page.setViewportSize(DESK);
}

test('public screens', async ({ page }) => {
  for (const [path, heading] of [
    ['/login', /./],
    ['/signup', 'Join Kasente'],
    ['/forgot-password', 'Reset Password'],
    ['/reset-password', 'Create New Password'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible();
    await expectUsable(page, path.slice(1));
  }
});

test("a client's screens", async ({ page }) => {
  await logIn(page, '0700000001');
  await expect(page.getByRole('link', { name: 'NT-2026-042' })).toBeVisible();
  await expectUsable(page, 'client-dashboard');
  await visit(page, '/application/start');
  await expect(page.getByRole('heading', { name: 'Invoice Details' })).toBeVisible();
  await expectUsable(page, 'new-application');
  await visit(page, '/invoices/applications');
  await picture(page, 'my-applications');
  await expectNarrow(page, 'applications');
  // Searched for, because other journeys may have put newer ones before it.
  await page.getByLabel('Search applications').fill('NT-2026-039');
  await page.getByRole('link', { name: 'NT-2026-039' }).click();
  await expect(page.getByRole('button', { name: 'Submit Application' })).toBeEnabled();
  await expectUsable(page, 'draft-ready');
  await visit(page, '/invoices/applications');
  await page.getByLabel('Search applications').fill('NT-2026-038');
  await page.getByRole('link', { name: 'NT-2026-038' }).click();
  await expect(page.getByText('Submitted for Processing').first()).toBeVisible();
  await expectUsable(page, 'submitted');
});

test("staff's screens", async ({ page }) => {
  await logIn(page, 'admin@kasente.test');
  await expect(page.getByRole('link', { name: 'JAS 124' })).toBeVisible();
  await expect(page.getByText('newcomer@kasente.test').first()).toBeVisible();
  await expectUsable(page, 'staff-dashboard');
  await page.getByRole('button', { name: 'Activate newcomer@kasente.test', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Update Person' })).toBeVisible();
  await expectUsable(page, 'update-person');
  await visit(page, '/businesses');
  await expect(page.getByText('Pearl Hotels Group').first()).toBeVisible();
  await expectUsable(page, 'businesses');
  await visit(page, '/desk?search=NT-2026-038');
  await page.getByRole('link', { name: 'NT-2026-038' }).click();
  await expect(page.getByRole('link', { name: 'Evidence' })).toBeVisible();
  await picture(page, 'desk-case');
  await visit(page, '/desk');
  await expect(page.getByRole('link', { name: 'NT-2026-038' })).toBeVisible();
  await picture(page, 'desk');
});

test('somebody without permissions', async ({ page }) => {
  await logIn(page, 'newcomer@kasente.test');
  await expect(page.getByText('Account Activation in Progress')).toBeVisible();
  await expectUsable(page, 'activation');
});
