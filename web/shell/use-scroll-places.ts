import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Location } from '#web/platform/router/history.ts';
import { useArrivedBy } from '#web/platform/router/router.tsx';
import { keepPlaces, notePlace, placeOf } from '#web/platform/router/scroll-places.ts';

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
    const namesPart = at.hash !== '' && (samePage || place === undefined);
    if (!samePage || (place !== undefined && !namesPart)) window.scrollTo(0, place ?? 0);
    return namesPart ? stayAt(at.hash.slice(1)) : undefined;
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

/** What a person moves a page by, or begins to use it. */
const ACTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'];

/**
 * Keeps a part of the page in sight, also one that is not there yet or that others still push down, until the person acts or
 * the function that it returns is called.
 */
function stayAt(id: string): () => void {
  const show = () => document.getElementById(id)?.scrollIntoView();
  const grown = new ResizeObserver(show);
  const acted = new AbortController();
  const leave = () => {
    grown.disconnect();
    acted.abort();
  };
  for (const act of ACTS) window.addEventListener(act, leave, { passive: true, signal: acted.signal });
  show();
  grown.observe(document.body);
  return leave;
}
