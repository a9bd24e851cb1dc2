import { refreshSession } from '#web/accounts/session.api.ts';

/**
 * Tells the server that the person is active, which extends the session (docs/decisions/0041). Resolves to whether the
 * server got the message. shell/session/idle-watch.ts decides when. A failed ping needs no handling: an ended session
 * shows at once, a lost connection at the person's next action.
 */
export async function pingSession(): Promise<boolean> {
  try {
    await refreshSession({ background: false });
    return true;
  } catch {
    return false;
  }
}
