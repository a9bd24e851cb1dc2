import type { Page } from '@playwright/test';
import { DESK, expect, logIn, PHONE, test } from '#e2e/support/fixtures.ts';

/** The page behind a dialog neither scrolls nor shifts (web/ui/theme/theme.css), in a browser that shows scroll bars. */

test.use({
  launchOptions: [
    ({ launchOptions }, use) => use({ ...launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] }),
    { scope: 'worker' },
  ],
});

/** Where the page is: how far it is scrolled, and the left edge of its content. */
function place(page: Page) {
  return page.evaluate(() => ({
    top: scrollY,
    left: document.querySelector('main')?.getBoundingClientRect().left,
    width: document.querySelector('main')?.getBoundingClientRect().width,
  }));
}

/** Tries to scroll at the middle of the lower half, below the dialog, by wheel, finger and keys. */
async function tryToScroll(page: Page, { width, height }: typeof DESK): Promise<void> {
  const middle = { x: width / 2, y: height * 0.75 };
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.wheel(0, 300);
  const devtools = await page.context().newCDPSession(page);
  const gesture = { ...middle, yDistance: -300, gestureSourceType: 'touch' } as const;
  await devtools.send('Input.synthesizeScrollGesture', gesture);
  for (const key of ['PageDown', 'ArrowDown', 'End', 'Home']) await page.keyboard.press(key);
}

for (const { name, viewport, opener } of [
  { name: 'at a desk', viewport: DESK, opener: /^Upload/ },
  { name: 'on a phone', viewport: PHONE, opener: /^Upload/ },
  { name: 'behind the menu of a phone', viewport: PHONE, opener: 'Menu' },
]) {
  test(`the page behind a dialog neither scrolls nor shifts: ${name}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await logIn(page, '0700000001', { to: '/invoices/applications?applications-search=NT-2026-039' });
    await page.getByRole('link', { name: 'NT-2026-039' }).first().click();
    const button = page.getByRole('button', { name: opener, exact: true }).first();
    await expect(page.getByRole('button', { name: /^Upload/ }).first()).toBeVisible();
    // The page does scroll without a dialog.
    await page.mouse.move(viewport.width / 2, viewport.height / 2);
    await page.mouse.wheel(0, 100);
    await expect.poll(() => place(page)).toMatchObject({ top: 100 });
    await button.scrollIntoViewIfNeeded();
    const before = await place(page);
    await button.click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await place(page)).toEqual(before);
    await tryToScroll(page, viewport);
    expect(await place(page)).toEqual(before);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(await place(page)).toEqual(before);
    await page.mouse.wheel(0, -50);
    await expect.poll(async () => (await place(page)).top).toBeLessThan(before.top);
  });
}
