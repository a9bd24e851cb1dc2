import type { ComponentType } from 'react';

/** Loading the code of a screen when somebody opens it, also after a new version has been put in place. */

/** A screen's file is gone, because a newer version has been deployed since this tab was opened. Reloading mends it. */
export class OutdatedVersion extends Error {
  constructor(cause: unknown) {
    super('a newer version has been deployed', { cause });
    this.name = 'OutdatedVersion';
  }
}

const RELOADED_AT = 'reloaded_at';
const ONE_RELOAD_A_MINUTE_MS = 60_000;

/**
 * A route's `lazy`: the screen that `load` imports. A failure is the route's error: {@link OutdatedVersion}, at
 * which the error page reloads by itself, where that helps and was not tried within a minute.
 */
export function page(load: () => Promise<ComponentType>): () => Promise<{ Component: ComponentType }> {
  return async () => {
    try {
      return { Component: await load() };
    } catch (error) {
      throw (await isOutdated()) && mayReload() ? new OutdatedVersion(error) : error;
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
