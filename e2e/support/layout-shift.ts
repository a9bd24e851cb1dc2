import type { Page } from '@playwright/test';

/** How much of the page has moved by itself since it was opened, by the browser's measure. */
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
        // Nothing is reported where nothing moved.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
      }),
  );
}
