import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { DESK, expect, PHONE } from './fixtures.ts';

/** WCAG 2.2 AA as far as axe can check it, and what axe cannot see: sideways scrolling and layout shifts. */

interface Look {
  readonly name: string;
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: typeof PHONE;
}

const halves: readonly Look[] = [
  { name: 'light, desk', colorScheme: 'light', viewport: DESK },
  { name: 'dark, phone', colorScheme: 'dark', viewport: PHONE },
];
const others: readonly Look[] = [
  { name: 'light, phone', colorScheme: 'light', viewport: PHONE },
  { name: 'dark, desk', colorScheme: 'dark', viewport: DESK },
];

/**
 * The looks in which every screen is checked. Colours depend on the scheme and layout on the size, so two looks cover
 * both of each; EVERY_LOOK=1 checks all four, which takes a minute longer.
 */
const looks = process.env.EVERY_LOOK === undefined ? halves : [...halves, ...others];

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Lists each rule that the screen (or the part selected by a CSS selector) breaks, with the elements that break it. */
export async function expectAccessible(page: Page, screen: string, part = 'html'): Promise<void> {
  // Legacy mode runs in the page itself: no screen has frames, and otherwise each look would open another page to
  // combine its results.
  const axe = new AxeBuilder({ page }).include(part).setLegacyMode();
  const { violations } = await axe.options({ runOnly: standards, resultTypes: ['violations'] }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(found, screen).toEqual([]);
}

/** Like {@link expectAccessible}, in every look; leaves the page in the last one. */
export async function expectAccessibleLooks(page: Page, screen: string, part?: string): Promise<void> {
  await inEachLook(page, (name) => expectAccessible(page, `${screen}, ${name}`, part));
}

/** Performs an action in every look. */
export async function inEachLook(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  for (const { name, colorScheme, viewport } of looks) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await look(name);
  }
}

/** 320 px and 200 % zoom are equivalent: nothing may need sideways scrolling. */
export async function expectNoSidewaysScrolling(page: Page, screen: string): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${screen} scrolls sideways`).toBeLessThanOrEqual(0);
}

/**
 * Measures the page at every change from now on, before it is drawn: something that is too wide for a moment moves the
 * page too. Returns a function that expects that it never scrolled sideways since.
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

/** How far the page has shifted by itself since it was opened, by the browser's measure. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const sum = (list: { getEntries(): readonly object[] }) =>
          list
            .getEntries()
            .reduce(
              (all, entry) =>
                all + ('value' in entry && !Reflect.get(entry, 'hadRecentInput') ? Number(entry.value) : 0),
              0,
            );
        new PerformanceObserver((list) => resolve(sum(list))).observe({ type: 'layout-shift', buffered: true });
        // Nothing is reported if nothing moved.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
      }),
  );
}
