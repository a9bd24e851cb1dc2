import { useEffect, useRef } from 'react';
import { useArrivedBy, useLocation } from '#web/platform/router/router.tsx';

/**
 * Moves the focus to the new page's heading after a navigation, so that a screen reader announces the page and Tab
 * continues from there. A field of the new page that already has the focus keeps it.
 */
export function useHeadingFocus(): void {
  const { pathname } = useLocation();
  const arrivedBy = useArrivedBy();
  // A new layout comes with the first page, with the browser's back button, or with a navigation to it.
  const shown = useRef(arrivedBy === 'pop' ? pathname : undefined);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const main = document.querySelector('main');
    if (main === null || main.contains(document.activeElement)) return;
    return focusTitle(main);
  }, [pathname]);
}

/** Focuses the page's title, now or when its content has loaded, unless somebody has started using the page by then. */
function focusTitle(main: Element): (() => void) | undefined {
  if (main.querySelector('h1') !== null) {
    focusHeading(main);
    return undefined;
  }
  const before = document.activeElement;
  const observer = new MutationObserver(() => {
    if (main.querySelector('h1') === null) return;
    observer.disconnect();
    if (document.activeElement === before || document.activeElement === document.body) focusHeading(main);
  });
  observer.observe(main, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/** Focuses the first heading of an element, for steps that follow each other on one page. */
export function focusHeading(within: Element): void {
  const heading = within.querySelector<HTMLElement>('h1') ?? within.querySelector<HTMLElement>('h2');
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
