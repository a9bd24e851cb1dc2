import { type ReactNode, useDeferredValue } from 'react';
import { useLocation } from '#web/platform/router/router.tsx';
import { placeOf } from '#web/platform/router/scroll-places.ts';

/**
 * Whether to draw content below the fold: just after the first paint, which comes sooner without it; at once if the
 * address or the history leads further down (docs/decisions/0023-first-screen.md).
 */
export function useLater(): boolean {
  const { hash, key } = useLocation();
  return useDeferredValue(true, hash !== '' || (placeOf(key) ?? 0) > 0);
}

/** Content below the fold: see {@link useLater}. */
export function Later({ children }: { readonly children: ReactNode }) {
  return useLater() && children;
}
