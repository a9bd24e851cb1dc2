import { ownAccountEndpoints } from '#contract/own-account/endpoints.ts';
import type { Routes } from '#server/platform/http.ts';
import { changePassword } from './own-password.service.ts';
import { endOtherSessions, endOwnSession, listOwnSessions } from './own-sessions.service.ts';
import { beginSecondFactor, confirmSecondFactor, describeSecondFactor } from './second-factor.service.ts';

/** One's own account: sessions, password, second factor (docs/decisions/0017-second-factor.md). */
export function ownAccountRoutes(routes: Routes): void {
  const { platform } = routes;

  routes.signedIn(ownAccountEndpoints.listSessions, ({ caller }) => listOwnSessions(platform, caller));
  routes.signedIn(ownAccountEndpoints.endSession, async ({ caller, params }) => {
    await endOwnSession(platform, caller, params.tag);
    return { success: true as const };
  });
  routes.signedIn(ownAccountEndpoints.endOtherSessions, async ({ caller }) => {
    await endOtherSessions(platform, caller);
    return { success: true as const };
  });
  routes.signedIn(ownAccountEndpoints.changePassword, async ({ caller, body }) => {
    await changePassword(platform, caller, body);
    return { success: true as const };
  });

  // Answers with a secret in them are for nobody's cache; and no repeat of a call is given an earlier one's.
  routes.signedIn(ownAccountEndpoints.secondFactor, ({ caller }) => describeSecondFactor(platform, caller));
  routes.signedIn(ownAccountEndpoints.beginSecondFactor, async ({ caller, body, reply }) => {
    reply.header('cache-control', 'no-store');
    return beginSecondFactor(platform, caller, body);
  });
  routes.signedIn(ownAccountEndpoints.confirmSecondFactor, async ({ caller, body, reply }) => {
    reply.header('cache-control', 'no-store');
    return { success: true as const, recoveryCodes: await confirmSecondFactor(platform, caller, body) };
  });
}
