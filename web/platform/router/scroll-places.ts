import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Location } from './history.ts';
import { useArrivedBy } from './router.tsx';

/** The scroll position of each history entry in pixels, by the entry's key. */

/** The key in the tab's storage. The cookie policy explains it. */
const KEY = 'SCROLL_PLACES';

let places: Record<string, number> | undefined;

/** The scroll position of a history entry visited in this tab. */
export function placeOf(key: string): number | undefined {
  places ??= read();
  return places[key];
}

/** Saves the positions for a reload. */
function keepPlaces(): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(places ?? {}));
  } catch {
    // Storage is full or blocked: after a reload, the page starts at the top.
  }
}

function read(): Record<string, number> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    const entries = Object.entries(typeof kept === 'object' && kept !== null ? kept : {});
    return Object.fromEntries(entries.filter(([, place]) => typeof place === 'number'));
  } catch {
    return {};
  }
}

/**
 * Opens a new page at its top or at the part in its address, and restores the position when the person goes back or
 * reloads. A change in the address of the same page, such as a filter, doesn't scroll.
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
      places ??= read();
      if (before.current !== undefined) places[before.current.key] = window.scrollY;
    };
    window.addEventListener('scroll', note, { passive: true, signal: left.signal });
    window.addEventListener('pagehide', keepPlaces, { signal: left.signal });
    return () => left.abort();
  }, []);
}

/** Events with which a person scrolls a page or starts to use it. */
const ACTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'];

/**
 * Keeps a part of the page in view, even if it is not there yet or other parts move it, until the person acts or the
 * returned function is called.
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
