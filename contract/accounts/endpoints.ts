import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { noBody, success } from '#contract/fields.ts';
import {
  handleReply,
  loginForm,
  loginReply,
  registerBody,
  registerReply,
  resendBody,
  resetDoBody,
  resetRequestForm,
  verifyBody,
} from './schema.ts';

/** Sign-up, login, sessions and password reset. */
export const accountEndpoints = {
  login: endpoint({
    method: 'POST',
    path: '/users/login',
    summary: 'Log in with a phone number or email and a password',
    body: loginForm,
    reply: loginReply,
    needs: 'public',
    ownQueue: true,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/users/logout',
    aliases: [{ method: 'GET', path: '/users/logout' }],
    summary: 'End the session; succeeds without one',
    body: noBody,
    reply: success,
    needs: 'public',
  }),
  session: endpoint({
    method: 'GET',
    path: '/users/session',
    summary: 'The login answer again, for the session at hand',
    reply: loginReply,
    needs: 'session',
    beforeSecondFactor: true,
  }),
  register: endpoint({
    method: 'POST',
    path: '/users/register',
    summary: 'Sign up; a PIN goes to the phone number or email',
    body: registerBody,
    reply: registerReply,
    needs: 'public',
    ownQueue: true,
  }),
  verifyUsername: endpoint({
    method: 'POST',
    path: '/users/verify_username',
    summary: 'Confirm a sign-up with its PIN',
    body: verifyBody,
    reply: z.strictObject({ success: z.literal(true), msg: z.string() }),
    needs: 'public',
  }),
  resendPin: endpoint({
    method: 'POST',
    path: '/users/resend_pin',
    summary: 'Send a new sign-up PIN; the old one dies',
    body: resendBody,
    reply: z.strictObject({ success: z.literal(true), msg: z.string() }),
    needs: 'public',
  }),
  requestReset: endpoint({
    method: 'POST',
    path: '/reset_password/request',
    summary: 'Send a password-reset code; the answer is the same for an unknown username',
    body: resetRequestForm,
    reply: handleReply,
    needs: 'public',
  }),
  verifyReset: endpoint({
    method: 'POST',
    path: '/reset_password/otp',
    summary: 'Exchange the reset code for the handle that sets a new password',
    body: verifyBody,
    reply: handleReply,
    needs: 'public',
  }),
  doReset: endpoint({
    method: 'POST',
    path: '/reset_password/do',
    summary: 'Set the new password and end every session of the person',
    body: resetDoBody,
    reply: success,
    needs: 'public',
    ownQueue: true,
  }),
} as const;
