import type { Page } from '@playwright/test';

/** A picture of a screen in one of its states. */

export const users = { client: '0700000001', staff: 'admin@kasente.test', newcomer: 'newcomer@kasente.test' } as const;

/** The steps from the opened page to the state. */
type Steps = (page: Page) => Promise<unknown>;

export interface Shot {
  readonly name: string;
  /** The user who views the screen; a visitor if absent. */
  readonly as?: keyof typeof users | undefined;
  readonly path: string;
  readonly reach?: Steps | undefined;
  readonly fullPage?: boolean;
}

/** The page as it opens, without further steps. */
export const asOpened = undefined;

/** Makes the picture show the whole page instead of one display of it. */
export function whole(reach?: Steps): Pick<Shot, 'reach' | 'fullPage'> {
  return { reach, fullPage: true };
}

/** The pictures of one page, as one user sees it: its states by name. */
export function at(
  as: Shot['as'],
  path: string,
  states: Readonly<Record<string, Steps | undefined | ReturnType<typeof whole>>>,
): readonly Shot[] {
  return Object.entries(states).map(([name, state]) => ({
    name,
    as,
    path,
    ...(typeof state === 'object' ? state : { reach: state }),
  }));
}
