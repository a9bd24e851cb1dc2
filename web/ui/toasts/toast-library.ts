import { useSyncExternalStore } from 'react';

type Library = typeof import('./toast-place.tsx');

let arrived: Library | undefined;
const listeners = new Set<() => void>();

/**
 * What shows toasts, which is not part of the first script: it is asked for as soon as a screen stands there, and
 * again with each toast while it has not arrived; undefined where it does not (docs/decisions/0023-first-screen.md).
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
