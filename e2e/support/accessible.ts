import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import { lookLike, looks, picture } from './pictures.ts';

/** WCAG 2.2 AA as far as axe can check it, and what axe cannot see: sideways scrolling and layout shifts. */

/**
 * The looks in which every screen is checked. Colours depend on the scheme and layout on the size, so two looks cover
 * both of each; EVERY_LOOK=1 checks all four, which takes a minute longer.
 */
const checkedLooks = process.env.EVERY_LOOK === undefined ? looks.slice(0, 2) : looks;

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Lists each rule that the screen (or the part selected by a CSS selector) breaks, with the elements that break it. */
export async function expectNoViolations(page: Page, screen: string, part = 'html'): Promise<void> {
  // Legacy mode runs in the page itself: no screen has frames, and otherwise each look would open another page to
  // combine its results.
  const axe = new AxeBuilder({ page }).include(part).setLegacyMode();
  const { violations } = await axe.options({ runOnly: standards, resultTypes: ['violations'] }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(found, screen).toEqual([]);
}

/** Like {@link expectNoViolations}; the screen's name is also that of its {@link picture}. */
export async function expectAccessible(page: Page, screen: string, part?: string): Promise<void> {
  await expectNoViolations(page, screen, part);
  await picture(page, screen);
}

/** Like {@link expectAccessible}, in every look; leaves the page in the last one. */
export async function expectAccessibleLooks(page: Page, screen: string, part?: string): Promise<void> {
  await inEachLook(page, (name) => expectNoViolations(page, `${screen}, ${name}`, part));
  await picture(page, screen);
}

/** Performs an action in every look. */
export async function inEachLook(page: Page, action: (name: string) => Promise<void>): Promise<void> {
  for (const look of checkedLooks) {
    await lookLike(page, look);
    await action(look.name);
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
