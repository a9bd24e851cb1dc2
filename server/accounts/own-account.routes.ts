import { ownAccountEndpoints } from '#contract/own-account/endpoints.ts';
import { changePassword, provePassword } from '#server/accounts/passwords/own-password.service.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  describeSecondFactor,
} from '#server/accounts/second-factor/second-factor.service.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import type { Routes } from '#server/http/http.ts';
import { setSessionCookie } from '#server/sessions/sessions.ts';
import { endOtherSessions, endOwnSession, listOwnSessions } from './own-sessions.service.ts';

/** The caller's own account: sessions, password, second factor (docs/decisions/0017-second-factor.md). */
export function ownAccountRoutes(routes: Routes): void {
  const { platform } = routes;
  const inLine = <Result>({ person }: SignedInCaller, call: () => Promise<Result>) =>
    platform.passwords.inLine({ queue: 'known', key: `person:${person.tag}` }, call);

  routes.byBody(ownAccountEndpoints.listSessions, listOwnSessions);
  routes.signedIn(ownAccountEndpoints.endSession, async ({ caller, params, body }) => {
    await inLine(caller, () => provePassword({ platform, caller }, body.password));
    await endOwnSession({ platform, caller }, params.tag);
  });
  routes.signedIn(ownAccountEndpoints.endOtherSessions, async ({ caller, body }) => {
    await inLine(caller, () => provePassword({ platform, caller }, body.password));
    await endOtherSessions({ platform, caller });
  });
  routes.signedIn(ownAccountEndpoints.changePassword, async ({ caller, body, reply }) => {
    setSessionCookie(platform, reply, await inLine(caller, () => changePassword({ platform, caller }, body)));
  });

  // These replies contain secrets, so a repeated call never gets an earlier reply.
  routes.byBody(ownAccountEndpoints.secondFactor, describeSecondFactor);
  routes.signedIn(ownAccountEndpoints.beginSecondFactor, ({ caller, body }) =>
    inLine(caller, () => beginSecondFactor({ platform, caller }, body)),
  );
  routes.signedIn(ownAccountEndpoints.confirmSecondFactor, async ({ caller, body, reply }) => {
    const { recoveryCodes, sessionToken } = await confirmSecondFactor({ platform, caller }, body);
    setSessionCookie(platform, reply, sessionToken);
    return { success: true as const, recoveryCodes };
  });
}
