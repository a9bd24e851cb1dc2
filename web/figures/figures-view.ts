import { useCallback, useState } from 'react';
import { useSearchParams } from '#web/platform/router/router.tsx';

/** How the figures are looked at; the address holds it, so that a reload or a link shows the same. */
export interface FiguresView {
  readonly currency: string | undefined;
  readonly asTable: boolean;
}

/** The shown currency and whether as a table, with setters. `name` is the block's. */
export function useFiguresView(currencies: readonly string[], name = 'figures') {
  const [params, setParams] = useSearchParams();
  const change = (key: string, value: string | null): void => {
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (value === null) next.delete(key);
        else next.set(key, value);
        return next;
      },
      { replace: true },
    );
  };
  const asked = params.get(`${name}-currency`);
  const view: FiguresView = {
    currency: currencies.find((currency) => currency === asked) ?? currencies[0],
    asTable: params.get(`${name}-as`) === 'table',
  };
  return {
    ...view,
    showCurrency: (currency: string) => change(`${name}-currency`, currency === currencies[0] ? null : currency),
    showAsTable: (asTable: boolean) => change(`${name}-as`, asTable ? 'table' : null),
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
