import { recordOf } from '#web/platform/record.ts';

/** State that other screens pass to the login screen through the history entry, never through the address. */
export interface LoginState {
  /** The username, if already known. */
  readonly username?: string | undefined;
  /** The tag of the person whose session ended while they were at work … */
  readonly endedFor?: string | undefined;
  /** … on this path, to which they return (shell/guards.tsx). */
  readonly returnTo?: string | undefined;
  /** The idle minutes after which the session ended (shell/session/idle-session.tsx). */
  readonly idleMinutes?: number | undefined;
}

/** State for the second step: the handle, and where to return to. */
export interface SecondStepState extends Pick<LoginState, 'endedFor' | 'returnTo'> {
  readonly handle: string;
}

/** Reads a location's state. It is validated, because another version may have written the history entry. */
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

/** Reads the location's state at the second step; undefined if there was no first step. */
export function readSecondStep(state: unknown): SecondStepState | undefined {
  const handle = textOf(recordOf(state).handle);
  const { endedFor, returnTo } = readLoginState(state);
  return handle === undefined ? undefined : { handle, endedFor, returnTo };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
