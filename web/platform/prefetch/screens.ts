import { paths } from '#web/paths.ts';
import { currentPlace } from '#web/platform/router/history.ts';
import { matchRoutes } from '#web/platform/router/router.tsx';
import type { Route } from '#web/platform/router/screen-code.ts';

/**
 * Fetches what is about to be needed while the person is still on the way to it
 * (docs/decisions/0023-first-screen.md).
 */

let known: readonly Route[] = [];

/**
 * From now on, a link's screen when a finger, a pointer or the focus comes to it; and while somebody fills in the login form,
 * what they will see then.
 */
export function lookAhead(routes: readonly Route[], whenLoggingIn: (username: string) => void): void {
  known = routes;
  const options = { capture: true, passive: true } as const;
  const towards = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
    if (link !== null && link.origin === location.origin && link.target !== '_blank') prepare(link.pathname);
  };
  for (const event of ['pointerover', 'touchstart', 'focusin']) document.addEventListener(event, towards, options);
  const fillsIn = () => {
    if (currentPlace().location.pathname !== paths.login || !(document.activeElement instanceof HTMLInputElement))
      return;
    whenLoggingIn(document.querySelector<HTMLInputElement>('input[name="username"]')?.value ?? '');
  };
  for (const event of ['focusin', 'input']) document.addEventListener(event, fillsIn, options);
  // Somebody may have begun before anybody listened.
  fillsIn();
}

/** Loads the code of a path's screen and what it shows, as far as its route says. */
export function prepare(pathname: string): void {
  const matched = matchRoutes(known, pathname);
  for (const { code, ahead } of matched?.routes ?? []) {
    void code?.loadAhead();
    ahead?.(matched?.params ?? {});
  }
}

/** Calls back when nothing else is to be done; never for whoever asked their browser to save data. */
export function whenIdle(callback: () => void): () => void {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  if (connection?.saveData === true) return () => undefined;
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(callback, 1000);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(callback);
  return () => cancelIdleCallback(asked);
}
