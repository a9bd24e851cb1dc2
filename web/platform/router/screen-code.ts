import { type ComponentType, createElement } from 'react';
import { MINUTE_MS } from '#contract/time/durations.ts';
import type { Question } from '#web/platform/api/question.ts';

/** Loads the code of a screen when it is opened, even after a new version has been deployed. */

/**
 * Thrown if a screen's file is missing because a newer version has been deployed since this tab was opened. Reloading
 * fixes it.
 */
export class OutdatedVersion extends Error {
  constructor(cause: unknown) {
    super('a newer version has been deployed', { cause });
    this.name = 'OutdatedVersion';
  }
}

const RELOADED_AT = 'reloaded_at';

/** The code of a screen, loaded when the screen is opened. */
export interface ScreenCode {
  readonly hasArrived: () => boolean;
  /** Loads the code, or tries again. A failure is thrown when the screen is rendered. */
  readonly load: () => Promise<void>;
  /** Loads the code early. A failure is ignored. */
  readonly prefetch: () => Promise<void>;
}

/** A route of the application. A screen in the first script has no code to load. */
export interface Route {
  readonly path?: string;
  readonly Component?: ComponentType;
  readonly code?: ScreenCode;
  /** The screen's first requests; their replies are prefetched. */
  readonly asksFirst?: (params: Readonly<Record<string, string>>) => readonly Question[];
  readonly children?: Route[];
}

/**
 * A route's screen, which `load` imports. A failure is thrown where the screen would be rendered. {@link
 * OutdatedVersion} makes the error page reload by itself, if that helps and was not tried in the last minute.
 */
export function page(load: () => Promise<ComponentType>): Required<Pick<Route, 'Component' | 'code'>> {
  let arrived: ComponentType | undefined;
  let failure: unknown;
  const code: ScreenCode = {
    hasArrived: () => arrived !== undefined,
    load: async () => {
      try {
        arrived = await load();
      } catch (error) {
        failure = (await isReloadDue()) ? new OutdatedVersion(error) : error;
      }
    },
    prefetch: async () => {
      arrived ??= await load().catch(() => undefined);
    },
  };
  const Component = () => {
    if (arrived === undefined) throw failure;
    return createElement(arrived);
  };
  return { Component, code };
}

let judged: Promise<boolean> | undefined;

/**
 * Decided once for files that fail together: layout and screen load concurrently, and one of them would otherwise use
 * up the reload.
 */
function isReloadDue(): Promise<boolean> {
  judged ??= isOutdated()
    .then((outdated) => outdated && mayReload())
    .finally(() => {
      judged = undefined;
    });
  return judged;
}

/** Whether the server now serves another entry script than the running one. */
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

/** During a deployment, old and new servers reply in turn. Without a limit, the page would reload in a loop. */
function mayReload(): boolean {
  try {
    const last = Number(sessionStorage.getItem(RELOADED_AT));
    if (Date.now() - last < MINUTE_MS) return false;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}
