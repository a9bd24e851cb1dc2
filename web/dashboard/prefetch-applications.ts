import { useEffect } from 'react';
import { paths } from '#web/paths.ts';
import { prefetchScreen } from '#web/platform/prefetch/screens.ts';

/** About three are in view at a time on a phone, and a page of ten on a laptop. */
const LINKS = `main a[href^="${paths.application('')}"]`;

/**
 * Once the dashboard is shown, prefetches the application screen: its code, and each invoice that scrolls into view.
 * `shown` changes with the list.
 */
export function usePrefetchApplications(shown: unknown): void {
  useEffect(() => {
    if (shown === undefined) return;
    const observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || !(target instanceof HTMLAnchorElement)) continue;
        prefetchScreen(target.pathname);
        observer.unobserve(target);
      }
    });
    const cancel = whenIdle(() => {
      prefetchScreen(paths.apply);
      for (const link of document.querySelectorAll(LINKS)) observer.observe(link);
    });
    return () => {
      cancel();
      observer.disconnect();
    };
  }, [shown]);
}

/** Calls back when the browser is idle; never if it is set to save data. */
function whenIdle(callback: () => void): () => void {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  if (connection?.saveData === true) return () => undefined;
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(callback, 1000);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(callback);
  return () => cancelIdleCallback(asked);
}
