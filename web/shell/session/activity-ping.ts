import { refreshSession } from '#web/accounts/session.api.ts';

/**
 * Tells the server that the person is there, which extends the session (docs/decisions/0041); whether it heard.
 * shell/session/idle-watch.ts says when. A ping that fails is of no interest by itself: an ended session shows at once, a lost
 * network at the next thing the person does.
 */
export async function pingSession(): Promise<boolean> {
  try {
    await refreshSession({ background: false });
    return true;
  } catch {
    return false;
  }
}
