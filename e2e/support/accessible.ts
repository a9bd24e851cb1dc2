import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** WCAG 2.2 AA as far as axe can tell, and what it cannot see: whether one has to scroll sideways. */

const phone = { width: 360, height: 740 };
const desk = { width: 1366, height: 768 };

interface Look {
  readonly name: string;
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: typeof phone;
}

const halves: readonly Look[] = [
  { name: 'light, desk', colorScheme: 'light', viewport: desk },
  { name: 'dark, phone', colorScheme: 'dark', viewport: phone },
];
const others: readonly Look[] = [
  { name: 'light, phone', colorScheme: 'light', viewport: phone },
  { name: 'dark, desk', colorScheme: 'dark', viewport: desk },
];

/**
 * The looks in which every screen is checked. Colours depend on the scheme and layout on the size, and two looks have
 * both of each; EVERY_LOOK=1 checks all four, which takes a minute more.
 */
export const looks = process.env.EVERY_LOOK === undefined ? halves : [...halves, ...others];

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Names each rule that the screen (or the part of it that a CSS selector names) breaks, with the elements that break it. */
export async function expectAccessible(page: Page, screen: string, part = 'html'): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).include(part).withTags(standards).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(found, screen).toEqual([]);
}

/** 320 px and 200 % zoom are the same: nothing may need sideways scrolling. */
export async function expectNoSidewaysScrolling(page: Page, screen: string): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${screen} scrolls sideways`).toBeLessThanOrEqual(0);
}

/**
 * From now on the page is measured at every change, before it is drawn: what is too wide for a moment moves the page too.
 * Returns how to expect that it never scrolled sideways since.
 */
export async function watchSidewaysScrolling(page: Page): Promise<(screen: string) => Promise<void>> {
  const widest = await page.evaluateHandle(() => {
    const seen = { overflow: 0 };
    const { documentElement } = document;
    new MutationObserver(() => {
      seen.overflow = Math.max(seen.overflow, documentElement.scrollWidth - documentElement.clientWidth);
    }).observe(documentElement, { subtree: true, childList: true, attributes: true, characterData: true });
    return seen;
  });
  return async (screen) =>
    expect(await widest.evaluate(({ overflow }) => overflow), `${screen} scrolled sideways`).toBe(0);
}
