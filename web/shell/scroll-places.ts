import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Location } from '#web/platform/history.ts';
import { useArrivedBy } from '#web/platform/router.tsx';
import { keepPlaces, notePlace, placeOf } from '#web/platform/scroll-places.ts';

/**
 * Begins a new page at its top or at the part its address names, and returns to where one was on the way back and after a
 * reload. What changes in the address of the same page, such as a filter, moves nothing.
 */
export function useScrollPlaces(at: Location): void {
  const arrivedBy = useArrivedBy();
  const before = useRef<Location>(undefined);
  useLayoutEffect(() => {
    const samePage = before.current?.pathname === at.pathname;
    before.current = at;
    const place = arrivedBy === 'pop' ? placeOf(at.key) : undefined;
    const part = at.hash === '' ? null : document.getElementById(at.hash.slice(1));
    if (part !== null && (samePage || place === undefined)) part.scrollIntoView();
    else if (place !== undefined || !samePage) window.scrollTo(0, place ?? 0);
  }, [at, arrivedBy]);
  useEffect(() => {
    history.scrollRestoration = 'manual';
    const left = new AbortController();
    const note = () => {
      if (before.current !== undefined) notePlace(before.current.key, window.scrollY);
    };
    window.addEventListener('scroll', note, { passive: true, signal: left.signal });
    window.addEventListener('pagehide', keepPlaces, { signal: left.signal });
    return () => left.abort();
  }, []);
}
