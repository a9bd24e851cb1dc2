import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** A page's clock; `page.clock.install()` must have been called before the page was opened. */

/** Holds the clock `laterMs` from now. */
export async function holdTheClock(page: Page, laterMs = 500): Promise<void> {
  for (let untilMs = laterMs; ; untilMs *= 2) {
    try {
      return await page.clock.pauseAt((await page.evaluate(() => Date.now())) + untilMs);
    } catch (error) {
      // The page's clock runs until it is held; on a busy machine it had already passed that moment.
      if (untilMs > 4000) throw error;
    }
  }
}

/** How often an officer's screen polls the server. */
const ASKED_EVERY_MS = 10_000;

/** Lets time pass on a page until it shows, without help, what has happened elsewhere. */
export async function expectByItself(page: Page, shown: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(ASKED_EVERY_MS);
    await expect(shown).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 90_000 });
}
