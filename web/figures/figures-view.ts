import { useCallback, useState } from 'react';
import { useSearchParams } from '#web/platform/router/router.tsx';

/**
 * How the figures are looked at: the shown currency and whether as a table, with setters. The address holds it, so that a
 * reload or a link shows the same. `name` is the block's.
 */
export function useFiguresView(currencies: readonly string[], name = 'figures') {
  const [params, change] = useSearchParams();
  const asked = params.get(`${name}-currency`);
  return {
    currency: currencies.find((currency) => currency === asked) ?? currencies[0],
    asTable: params.get(`${name}-as`) === 'table',
    showCurrency: (currency: string) => change({ [`${name}-currency`]: currency === currencies[0] ? null : currency }),
    showAsTable: (asTable: boolean) => change({ [`${name}-as`]: asTable ? 'table' : null }),
  };
}

/** How far below the window something already counts as seen. */
const SEEN_MARGIN = '200px';

/** Whether the element that `watch` is the ref of has come into sight, now or before. */
export function useSeen() {
  const [isSeen, setSeen] = useState(false);
  const watch = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        setSeen(true);
        observer.disconnect();
      },
      { rootMargin: SEEN_MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { isSeen, watch };
}
