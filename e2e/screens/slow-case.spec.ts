import type { Page } from '@playwright/test';
import { newSubmission } from '#e2e/support/arrange.ts';
import { post } from '#e2e/support/calls.ts';
import { expect, signIn, test } from '#e2e/support/fixtures.ts';

/** On a slow line, a case shows skeletons and says nothing about data that has not come. */

test.use({ world: 'slow case' });
test.describe.configure({ mode: 'default' });

/** Sentences and marks for missing data, which only the server's answer can justify. */
const MISSING = [
  /\bno (documents|payments|applications|funding limit)\b/i,
  /\bnothing\b/i,
  /\bnone yet\b/i,
  /\bnot added\b/i,
  /\bEnter an amount\b/,
  /^\s*[-–]\s*$/m,
];

/** Opens a page while every call but those is held, checks it, and lets go. */
async function openHeld(page: Page, path: string, answered: readonly RegExp[]): Promise<void> {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/api/v1/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    if (!pathname.endsWith('/users/session') && !answered.some((each) => each.test(pathname))) await held;
    await route.fallback();
  });
  const came = answered.map((each) => page.waitForResponse((reply) => each.test(new URL(reply.url()).pathname)));
  await page.goto(path);
  await expect(page.locator('main .mantine-Skeleton-root').first()).toBeVisible();
  await Promise.all(came);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  const said = await page.getByRole('main').innerText();
  for (const sentence of MISSING) expect(said).not.toMatch(sentence);
  letGo();
  await expect(page.locator('main .mantine-Skeleton-root')).toHaveCount(0);
  await page.unrouteAll({ behavior: 'wait' });
}

test('a client’s application', async ({ page }) => {
  await signIn(page, '0700000002');
  const { tag } = await newSubmission(page);
  const path = `/invoice-discounting-application/${tag}`;
  const invoice = new RegExp(`/invoices/${tag}$`);
  const progress = new RegExp(`/applications/${tag}/progress$`);
  for (const answered of [[], [invoice], [invoice, progress], [invoice, progress, /\/(currencies|payout)$/]])
    await openHeld(page, path, answered);
  await expect(page.getByText('The client receives').or(page.getByText('You receive'))).toBeVisible();
});

test('an officer’s case, undecided, approved and overdue', async ({ page }) => {
  await signIn(page, 'staff@kasente.test');
  for (const view of ['undecided', 'toDisburse', 'overdue', 'settledThisMonth']) {
    const [row] = await post<{ tag: string }[]>(page, 'desk/queue', { view, page: 1 });
    const tag = row?.tag ?? '';
    const loaded = new RegExp(`/desk/cases/${tag}$`);
    for (const answered of [[], [loaded], [loaded, /\/(payments|payout)$/]])
      await openHeld(page, `/desk/${tag}`, answered);
  }
});
