import { recordOf } from '#web/platform/record.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';

/** The browser's address as the application sees it, and the functions that change it. */

export interface Location {
  readonly pathname: string;
  /** Starts with '?', or is ''. */
  readonly search: string;
  /** Starts with '#', or is ''. */
  readonly hash: string;
  /** The state passed by the navigation. It may be from another version. */
  readonly state: unknown;
  /** The key of this history entry. */
  readonly key: string;
}

export interface Place {
  readonly location: Location;
  /** 'pop' covers back and forward, a reload, and the first page. */
  readonly arrivedBy: 'push' | 'replace' | 'pop';
}

export interface NavigateOptions {
  /** Replaces the current history entry. */
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

/**
 * A key for a history entry that the browser created, for a typed address or an external link. The entry keeps the key
 * over a reload.
 */
function named(usr: unknown): string {
  const key = uniqueKey();
  window.history.replaceState({ usr, key }, '');
  return key;
}

/** The current location. The same object until something changes. */
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
 * Navigates to an address of the application, without a new history entry if it is the current address. Resolves when
 * the address has changed, which may be before the screen is shown.
 */
export async function navigate(to: string, { replace, state }: NavigateOptions = {}): Promise<void> {
  const { pathname, search, hash } = window.location;
  const replaces = replace === true || to === `${pathname}${search}${hash}`;
  const entry = { usr: state, key: uniqueKey() };
  if (replaces) window.history.replaceState(entry, '', to);
  else window.history.pushState(entry, '', to);
  arrive(replaces ? 'replace' : 'push');
}
