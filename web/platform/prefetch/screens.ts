import { paths } from '#web/paths.ts';
import type { Question } from '#web/platform/api/question.ts';
import { currentPlace, subscribe } from '#web/platform/router/history.ts';
import { matchRoutes } from '#web/platform/router/router.tsx';
import type { Route } from '#web/platform/router/screen-code.ts';
import { prefetch, promise } from './prefetched.ts';

/** Fetches what a screen needs while the person is still about to open it (docs/decisions/0023-first-screen.md). */

let known: readonly Route[] = [];

/**
 * Starts prefetching: the current address's screen, before anything is rendered; a link's screen, when a finger, the
 * pointer or the focus reaches the link; and the screen after login, while the person is filling in the login form.
 */
export function beginPrefetching(routes: readonly Route[], whenLoggingIn: (username: string) => void): void {
  known = routes;
  const options = { capture: true, passive: true } as const;
  const towards = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
    if (link !== null && link.origin === location.origin && link.target !== '_blank') prefetchScreen(link.pathname);
  };
  for (const event of ['pointerover', 'touchstart', 'focusin']) document.addEventListener(event, towards, options);
  const fillsIn = () => {
    if (currentPlace().location.pathname !== paths.login || !(document.activeElement instanceof HTMLInputElement))
      return;
    whenLoggingIn(document.querySelector<HTMLInputElement>('input[name="username"]')?.value ?? '');
  };
  for (const event of ['focusin', 'input']) document.addEventListener(event, fillsIn, options);
  // Typing may have started before this listener existed.
  fillsIn();
  followAddress();
}

/** Requests replies while the screen is being rendered. After a login, the first render alone takes a phone 150 ms. */
function followAddress(): void {
  let at: string | undefined;
  const follow = () => {
    const { pathname } = currentPlace().location;
    if (pathname !== at) promise(loadScreen(pathname));
    at = pathname;
  };
  subscribe(follow);
  follow();
}

/** Loads the code of a path's screen, and the replies that the screen starts with. */
export function prefetchScreen(pathname: string): void {
  for (const question of loadScreen(pathname)) prefetch(question);
}

/** Loads the code of a path's screen. Returns the screen's first requests. */
function loadScreen(pathname: string): readonly Question[] {
  const matched = matchRoutes(known, pathname);
  if (matched === undefined) return [];
  return matched.routes.flatMap(({ code, asksFirst }) => {
    void code?.prefetch();
    return asksFirst?.(matched.params) ?? [];
  });
}
