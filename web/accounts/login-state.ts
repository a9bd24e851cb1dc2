import { z } from 'zod';

/** What other screens hand to the login screen through the history entry; never through the address. */
const loginState = z.object({
  /** Who logs in, where that is known already. */
  username: z.string().optional(),
  /** The session of this person (a tag) ended while they were at work … */
  endedFor: z.string().optional(),
  /** … on this path, to which they come back (shell/guards.tsx). */
  returnTo: z.string().startsWith('/').optional(),
  /** It ended because nothing was done for so many minutes (shell/idle-session.tsx). */
  idleMinutes: z.number().positive().optional(),
});

export type LoginState = z.output<typeof loginState>;

/** Reads a location's state. */
export function readLoginState(state: unknown): LoginState {
  const parsed = loginState.safeParse(state);
  return parsed.success ? parsed.data : {};
}
