import { expectAccessible, expectNoSidewaysScrolling, looks } from '#e2e/support/accessible.ts';
import { expect, logIn, test, visit } from '#e2e/support/fixtures.ts';

/** WCAG 2.2 AA by axe on each screen of the main job, light and dark, on a phone and on a desk. */

for (const { name, ...look } of looks) {
  test.describe(name, () => {
    // Without motion there is no half-faded dialog whose contrast would be measured.
    test.use(look);

    test('public screens', async ({ page }) => {
      for (const [path, heading] of [
        ['/login', /./],
        ['/signup', 'Join Kasente'],
        ['/forgot-password', 'Reset Password'],
        ['/reset-password', 'Create New Password'],
      ] as const) {
        await page.goto(path);
        await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible();
        await expectAccessible(page, path);
      }
    });

    test("a client's screens", async ({ page }) => {
      await logIn(page, '0700000001');
      await expect(page.getByRole('link', { name: 'NT-2026-042' })).toBeVisible();
      await expectAccessible(page, 'dashboard');
      await visit(page, '/application/start');
      await expect(page.getByRole('heading', { name: 'Invoice Details' })).toBeVisible();
      await expectAccessible(page, 'new application');
      // Searched for: other journeys have put new ones before it.
      await visit(page, '/invoices/applications');
      await page.getByLabel('Search applications').fill('NT-2026-039');
      await page.getByRole('link', { name: 'NT-2026-039' }).click();
      await expect(page.getByRole('button', { name: 'Submit Application' })).toBeEnabled();
      await expectAccessible(page, 'a draft that is ready');
      await visit(page, '/invoices/applications');
      await page.getByLabel('Search applications').fill('NT-2026-038');
      await page.getByRole('link', { name: 'NT-2026-038' }).click();
      await expect(page.getByText('Submitted for Processing').first()).toBeVisible();
      await expectAccessible(page, 'a submitted application');
    });

    test("staff's screens", async ({ page }) => {
      await logIn(page, 'admin@kasente.test');
      await expect(page.getByRole('link', { name: 'JAS 124' })).toBeVisible();
      await expect(page.getByText('newcomer@kasente.test').first()).toBeVisible();
      await expectAccessible(page, 'dashboard');
      await page.getByRole('button', { name: 'Activate newcomer@kasente.test', exact: true }).click();
      await expect(page.getByRole('dialog', { name: 'Update Person' })).toBeVisible();
      await expectAccessible(page, 'Update Person');
      await visit(page, '/businesses');
      await expect(page.getByText('Pearl Hotels Group').first()).toBeVisible();
      await expectAccessible(page, 'businesses');
    });

    test('somebody without permissions', async ({ page }) => {
      await logIn(page, 'newcomer@kasente.test');
      await expect(page.getByText('Account Activation in Progress')).toBeVisible();
      await expectAccessible(page, 'activation notice');
    });
  });
}

test('nothing scrolls sideways at 320 px', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of ['/login', '/signup', '/forgot-password', '/reset-password']) {
    await page.goto(path);
    await expect(page.getByRole('heading').first()).toBeVisible();
    await expectNoSidewaysScrolling(page, path);
  }
  await logIn(page, '0700000001');
  for (const path of ['/home', '/invoices/applications', '/application/start']) {
    await visit(page, path);
    await expect(page.getByRole('heading').first()).toBeVisible();
    await expectNoSidewaysScrolling(page, path);
  }
});
