import { useSyncExternalStore } from 'react';

type Library = typeof import('./toast-place.tsx');

let arrived: Library | undefined;
const listeners = new Set<() => void>();

/**
 * Loads the toast library, which is not in the first script: after the first screen, and again with each toast until it
 * has loaded. Undefined if it does not load (docs/decisions/0023-first-screen.md).
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

/** The toast library if it has already loaded, for callers that need not wait. */
export function loadedToasts(): Library | undefined {
  return arrived;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The toast library, for the component that shows toasts. */
export function useToastLibrary(): Library | undefined {
  return useSyncExternalStore(subscribe, loadedToasts, () => undefined);
}
