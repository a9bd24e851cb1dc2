import { useSyncExternalStore } from 'react';

type Library = typeof import('./toast-place.tsx');

let arrived: Library | undefined;
const listeners = new Set<() => void>();

/**
 * Loads the library that shows toasts, which is not in the first script: after the first screen, and again with each
 * toast until it has arrived. Undefined if it does not (docs/decisions/0023-first-screen.md).
 */
export async function loadToasts(): Promise<Library | undefined> {
  try {
    arrived ??= await import('./toast-place.tsx');
  } catch {
    return undefined;
  }
  for (const listener of listeners) listener();
  return arrived;
}

/** The same at this moment, for what need not wait. */
export function loadedToasts(): Library | undefined {
  return arrived;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The same for the place where toasts stand. */
export function useToastLibrary(): Library | undefined {
  return useSyncExternalStore(subscribe, loadedToasts, () => undefined);
}
