import type { Page } from '@playwright/test';
import { DEMONSTRATION_PASSWORD, expect, logOut, test } from '#e2e/support/fixtures.ts';
import { type ComponentLooks, componentLooks, differentLooks, readLooks } from '#e2e/support/looks.ts';

/**
 * A person who reaches a dashboard through a public page and the login form sees the same as after a reload
 * (docs/decisions/0030-style-layers.md): checked from each public page that brings other style sheets, for each role,
 * with an empty and a full cache.
 */

// The lists that identify a dashboard, without what other journeys add. Each logs in from several pages.
test.use({ world: 'styles' });
test.describe.configure({ timeout: 300_000 });

/** The public pages; those in one row bring the same style sheets, so the first stands for the others. */
const entries = [
  ['/login', '/'],
  ['/signup'],
  ['/forgot-password'],
  ['/about-us', '/about-kasente'],
  ['/privacy-policy', '/cookie-policy'],
  ['/user-agreement'],
] as const;

/** Each role, with texts of its loaded dashboard, from its top and its foot. */
const roles = [
  { who: 'a client', username: '0700000001', shown: ['NT-2026-042', 'Your money'] },
  { who: 'an officer', username: 'staff@kasente.test', shown: ['JAS 124', 'Peter Okello'] },
  { who: 'an administrator', username: 'admin@kasente.test', shown: ['JAS 124', 'Peter Okello'] },
  {
    who: 'somebody without permissions',
    username: 'newcomer@kasente.test',
    shown: ['Account Activation in Progress'],
  },
] as const;

/** Through the logo, unless the page is the login screen itself, because its own links lead there. */
async function goToLogin(page: Page): Promise<void> {
  const heading = page.getByRole('heading', { level: 1, name: 'Login' });
  if (!(await heading.isVisible())) {
    // By then the application handles its links, so that they load no page.
    await page.waitForLoadState('networkidle');
    await page.locator('header').getByRole('link').first().click();
  }
  await expect(heading).toBeVisible();
}

/** By keyboard, so that the pointer hovers over nothing. */
async function logInHere(page: Page, username: string): Promise<void> {
  await page.getByLabel('Phone or Email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(DEMONSTRATION_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/home$/);
}

/**
 * After all data has loaded, including what loads when scrolled into view, with no focus and nothing under the pointer.
 */
async function shownLooks(page: Page, texts: readonly string[]) {
  for (const text of texts) await expect(page.getByText(text).first()).toBeVisible();
  const skeletonInSight = () =>
    page.evaluate(() => {
      const skeleton = document.querySelector('.mantine-Skeleton-root');
      skeleton?.scrollIntoView();
      return skeleton !== null;
    });
  await expect.poll(skeletonInSight).toBe(false);
  await page.waitForLoadState('networkidle');
  await expect(page.locator('.mantine-Notification-root')).toHaveCount(0);
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  return componentLooks(page);
}

test('the public pages in a row load the same style sheets in the same order', async ({ request }) => {
  const sheetsOf = async (path: string) => {
    const page = (await (await request.get(path)).text()).replaceAll(/ nonce="\w+"/g, '');
    return page.match(/<style.*?<\/style>|<link[^>]*stylesheet[^>]*>/gs);
  };
  for (const [first, ...others] of entries)
    for (const other of others) expect(await sheetsOf(other), other).toEqual(await sheetsOf(first));
});

for (const { who, username, shown } of roles) {
  test(`${who} who logs in sees the same as after a reload, from each public page with other style sheets`, async ({
    browser,
  }) => {
    // The same, whichever page the person came through.
    let reloaded: ComponentLooks | undefined;
    for (const [entry] of entries) {
      const page = await browser.newPage();
      await readLooks(page);
      await page.goto(entry);
      await goToLogin(page);
      await logInHere(page, username);
      const first = await shownLooks(page, shown);
      if (reloaded === undefined) {
        await page.reload();
        reloaded = await shownLooks(page, shown);
      }
      expect(differentLooks(first, reloaded), `${entry}, with an empty cache`).toEqual([]);
      if (entry === '/signup') {
        // Again in one tab, with everything cached.
        await logOut(page);
        await logInHere(page, username);
        expect(differentLooks(await shownLooks(page, shown), reloaded), `${entry}, again`).toEqual([]);
      }
      await page.close();
    }
  });
}
