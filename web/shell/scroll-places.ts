import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Location } from '#web/platform/history.ts';
import { useArrivedBy } from '#web/platform/router.tsx';

/** The key in the tab's storage; the cookie policy explains it. */
const KEY = 'SCROLL_PLACES';

/** How far down each entry of the history was scrolled, in pixels, by its key. */
type Places = Record<string, number>;

/**
 * Begins a new page at its top or at the part its address names, and returns to where one was on the way back and after a
 * reload. What changes in the address of the same page, such as a filter, moves nothing.
 */
export function useScrollPlaces(at: Location): void {
  const arrivedBy = useArrivedBy();
  const places = useRef<Places>(undefined);
  const before = useRef<Location>(undefined);
  useLayoutEffect(() => {
    places.current ??= readPlaces();
    const samePage = before.current?.pathname === at.pathname;
    before.current = at;
    const place = arrivedBy === 'pop' ? places.current[at.key] : undefined;
    const part = at.hash === '' ? null : document.getElementById(at.hash.slice(1));
    if (part !== null && (samePage || place === undefined)) part.scrollIntoView();
    else if (place !== undefined || !samePage) window.scrollTo(0, place ?? 0);
  }, [at, arrivedBy]);
  useEffect(() => {
    history.scrollRestoration = 'manual';
    const left = new AbortController();
    const note = () => {
      if (places.current !== undefined && before.current !== undefined)
        places.current[before.current.key] = window.scrollY;
    };
    window.addEventListener('scroll', note, { passive: true, signal: left.signal });
    window.addEventListener('pagehide', () => keepPlaces(places.current ?? {}), { signal: left.signal });
    return () => left.abort();
  }, []);
}

function readPlaces(): Places {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    const places = Object.entries(typeof kept === 'object' && kept !== null ? kept : {});
    return Object.fromEntries(places.filter(([, place]) => typeof place === 'number'));
  } catch {
    return {};
  }
}

function keepPlaces(places: Places): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(places));
  } catch {
    // Full or closed to us: a reload then begins at the top.
  }
}
