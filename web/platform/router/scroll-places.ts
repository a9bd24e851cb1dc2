/** How far down each entry of the history was scrolled, in pixels, by its key. */

/** The key in the tab's storage; the cookie policy explains it. */
const KEY = 'SCROLL_PLACES';

let places: Record<string, number> | undefined;

/** Where one was, in an entry that one has been at in this tab. */
export function placeOf(key: string): number | undefined {
  places ??= read();
  return places[key];
}

/** Notes where one is now. */
export function notePlace(key: string, place: number): void {
  places ??= read();
  places[key] = place;
}

/** Keeps all of it for a reload. */
export function keepPlaces(): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(places ?? {}));
  } catch {
    // Full or closed to us: a reload then begins at the top.
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
