import type { FastifyReply } from 'fastify';
import { accountEndpoints } from '#contract/accounts/endpoints.ts';
import { ownAccountEndpoints } from '#contract/own-account/endpoints.ts';
import { createAddressLimits } from '#server/accounts/login/address-limits.ts';
import type { LoggedIn } from '#server/accounts/login/complete-login.ts';
import { refuseDemonstrationAbroad } from '#server/accounts/login/demonstration-login.ts';
import { setDeviceCookie } from '#server/accounts/login/known-devices.ts';
import { logIn, logOut } from '#server/accounts/login/login.service.ts';
import { createLoginPace } from '#server/accounts/login/login-pace.ts';
import { loginTimeout } from '#server/accounts/login/login-timeout.ts';
import { doReset, requestReset, verifyReset } from '#server/accounts/passwords/reset.service.ts';
import { finishLogin } from '#server/accounts/second-factor/second-step.service.ts';
import { register, resendPin, verifyUsername } from '#server/accounts/sign-up/sign-up.service.ts';
import type { Routes } from '#server/http/http.ts';
import { clearSessionCookie, setSessionCookie } from '#server/sessions/sessions.ts';
import { presentLogin } from './accounts.presenter.ts';

const PIN_SENT = 'We sent a 5-digit PIN to your phone number or email. Enter it to finish signing up.';
const PIN_SENT_AGAIN = 'A new verification code has been sent.';
const USERNAME_VERIFIED = 'Your phone number or email is confirmed. You can now log in.';

/** Sign-up, login, sessions and password reset. */
export function accountRoutes(routes: Routes): void {
  const { platform } = routes;
  const limits = createAddressLimits(platform);
  const pace = createLoginPace(platform);

  routes.publicAuth(accountEndpoints.register, async ({ caller, body }) => {
    const registered = await register({ platform, caller }, limits, body);
    return { success: true as const, message: PIN_SENT, msg: PIN_SENT, ...registered };
  });
  routes.publicAuth(accountEndpoints.resendPin, async ({ caller, body }) => {
    await resendPin({ platform, caller }, limits, body);
    return { success: true as const, msg: PIN_SENT_AGAIN };
  });
  routes.publicAuth(accountEndpoints.verifyUsername, async ({ caller, body }) => {
    await verifyUsername({ platform, caller }, body);
    return { success: true as const, msg: USERNAME_VERIFIED };
  });

  const letIn = (reply: FastifyReply, { account, sessionToken, deviceToken }: LoggedIn) => {
    setSessionCookie(platform, reply, sessionToken);
    setDeviceCookie(platform, reply, deviceToken);
    return presentLogin(account, platform.config);
  };
  routes.publicAuth(accountEndpoints.login, async ({ caller, body, request, reply }) => {
    refuseDemonstrationAbroad(platform.config, request, body);
    return letIn(reply, await logIn(platform, pace, { caller, request, signal: loginTimeout(reply) }, body));
  });
  routes.publicAuth(ownAccountEndpoints.finishLogin, async ({ caller, body, request, reply }) =>
    letIn(reply, await finishLogin({ platform, caller }, pace, request, body)),
  );
  routes.publicAuth(accountEndpoints.logout, async ({ caller, request, reply }) => {
    await logOut({ platform, caller }, request);
    clearSessionCookie(platform, reply);
  });
  routes.signedIn(accountEndpoints.session, async ({ caller }) => presentLogin(caller.person, platform.config));

  routes.publicAuth(accountEndpoints.requestReset, async ({ caller, body }) => {
    return { success: true as const, data: { tag: await requestReset({ platform, caller }, limits, body) } };
  });
  routes.publicAuth(accountEndpoints.verifyReset, async ({ caller, body }) => {
    return { success: true as const, data: { tag: await verifyReset({ platform, caller }, body) } };
  });
  routes.publicAuth(accountEndpoints.doReset, async ({ caller, body, reply }) => {
    setDeviceCookie(platform, reply, await doReset({ platform, caller }, body));
  });
}
