import { useEffect } from 'react';
import { paths } from '#web/paths.ts';
import { prepare, whenIdle } from '#web/platform/prefetch/screens.ts';

/** On a phone some three are in sight at a time, on a laptop the ten of a page. */
const LINKS = `main a[href^="${paths.application('')}"]`;

/**
 * Once the dashboard stands there, the screen that a client opens from it: its code, and each invoice that comes into sight.
 * `shown` changes with the list.
 */
export function useApplicationsAhead(shown: unknown): void {
  useEffect(() => {
    if (shown === undefined) return;
    const observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || !(target instanceof HTMLAnchorElement)) continue;
        prepare(target.pathname);
        observer.unobserve(target);
      }
    });
    const cancel = whenIdle(() => {
      prepare(paths.apply);
      for (const link of document.querySelectorAll(LINKS)) observer.observe(link);
    });
    return () => {
      cancel();
      observer.disconnect();
    };
  }, [shown]);
}
