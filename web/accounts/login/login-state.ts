import { recordOf } from '#web/platform/record.ts';

/** State that other screens pass to the login screen through the history entry; never through the address. */
export interface LoginState {
  /** The username, if it is known already. */
  readonly username?: string | undefined;
  /** The session of this person (a tag) ended while they were at work … */
  readonly endedFor?: string | undefined;
  /** … on this path, to which they come back (shell/guards.tsx). */
  readonly returnTo?: string | undefined;
  /** It ended after this many idle minutes (shell/session/idle-session.tsx). */
  readonly idleMinutes?: number | undefined;
}

/** State for the second step: the handle, and where to return to. */
export interface SecondStepState extends Pick<LoginState, 'endedFor' | 'returnTo'> {
  readonly handle: string;
}

/** Reads a location's state: a history entry may be another version's. */
export function readLoginState(state: unknown): LoginState {
  const { username, endedFor, returnTo, idleMinutes } = recordOf(state);
  const path = textOf(returnTo);
  return {
    username: textOf(username),
    endedFor: textOf(endedFor),
    returnTo: path?.startsWith('/') ? path : undefined,
    idleMinutes: typeof idleMinutes === 'number' && idleMinutes > 0 ? idleMinutes : undefined,
  };
}

/** Reads the location's state at the second step; undefined without a first one. */
export function readSecondStep(state: unknown): SecondStepState | undefined {
  const handle = textOf(recordOf(state).handle);
  const { endedFor, returnTo } = readLoginState(state);
  return handle === undefined ? undefined : { handle, endedFor, returnTo };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
