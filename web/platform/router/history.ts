import { recordOf } from '#web/platform/record.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';

/** The browser's address as the application sees it, and how it changes it. */

export interface Location {
  readonly pathname: string;
  /** With its '?', or ''. */
  readonly search: string;
  /** With its '#', or ''. */
  readonly hash: string;
  /** The state that the navigation passed; another version may have written it. */
  readonly state: unknown;
  /** Of this entry of the history. */
  readonly key: string;
}

export interface Place {
  readonly location: Location;
  /** 'pop' is the way back or forward, a reload, and the first page. */
  readonly arrivedBy: 'push' | 'replace' | 'pop';
}

export interface NavigateOptions {
  /** Takes the place of this entry of the history. */
  readonly replace?: boolean | undefined;
  readonly state?: unknown;
}

const listeners = new Set<() => void>();
let place: Place | undefined;

function read(arrivedBy: Place['arrivedBy']): Place {
  const { pathname, search, hash } = window.location;
  const { usr, key } = recordOf(window.history.state);
  return {
    location: { pathname, search, hash, state: usr, key: typeof key === 'string' ? key : named(usr) },
    arrivedBy,
  };
}

/** An entry that the browser made, at a typed address or a link from elsewhere, gets a key: it keeps it over a reload. */
function named(usr: unknown): string {
  const key = uniqueKey();
  window.history.replaceState({ usr, key }, '');
  return key;
}

/** The same object until something changes. */
export function currentPlace(): Place {
  place ??= read('pop');
  return place;
}

function arrive(arrivedBy: Place['arrivedBy']): void {
  place = read(arrivedBy);
  for (const listener of [...listeners]) listener();
}

function followBrowser(): void {
  arrive('pop');
}

export function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('popstate', followBrowser);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('popstate', followBrowser);
  };
}

/**
 * Navigates to an address of the application; to the current one without a new history entry. Resolves when the address has
 * changed, not when the screen is there.
 */
export async function navigate(to: string, { replace, state }: NavigateOptions = {}): Promise<void> {
  const { pathname, search, hash } = window.location;
  const replaces = replace === true || to === `${pathname}${search}${hash}`;
  const entry = { usr: state, key: uniqueKey() };
  if (replaces) window.history.replaceState(entry, '', to);
  else window.history.pushState(entry, '', to);
  arrive(replaces ? 'replace' : 'push');
}
