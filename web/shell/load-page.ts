import type { ComponentType } from 'react';

/** Loading the code of a screen when somebody opens it, also while a new version is being put in place. */

const RELOADED_AT = 'reloaded_at';
const ONE_RELOAD_A_MINUTE_MS = 60_000;

/**
 * A route's `lazy`: the screen that `load` imports. Where its file is gone because a newer version has been
 * deployed since this tab was opened, the page reloads itself, at most once a minute; any other failure is the
 * route's error, and the error page says what to do.
 */
export function page(load: () => Promise<ComponentType>): () => Promise<{ Component: ComponentType }> {
  return async () => {
    try {
      return { Component: await load() };
    } catch (error) {
      if (!(await isOutdated()) || !mayReload()) throw error;
      location.reload();
      // The reload takes over; until then the screen at hand stays.
      return new Promise(() => undefined);
    }
  };
}

/** Whether the server by now sends another entry script than the one that runs here. */
async function isOutdated(): Promise<boolean> {
  const running = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  if (!running) return false;
  try {
    const answer = await fetch(location.origin, { cache: 'no-store' });
    return answer.ok && !(await answer.text()).includes(running);
  } catch {
    return false;
  }
}

/** During a deployment old and new servers answer by turns: without a limit the page would reload in a circle. */
function mayReload(): boolean {
  try {
    const last = Number(sessionStorage.getItem(RELOADED_AT));
    if (Date.now() - last < ONE_RELOAD_A_MINUTE_MS) return false;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}
