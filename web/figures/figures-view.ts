import { useCallback, useState } from 'react';
import { useSearchParams } from '#web/platform/router/router.tsx';

/**
 * How the figures are viewed: the chosen currency and whether as a table, with setters. Kept in the address, so that a
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

/** An element this far below the window already counts as seen. */
const SEEN_MARGIN = '200px';

/** Whether the element with the ref `watch` has ever scrolled into view. */
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
